% sol = slipstick.simulate (model)
% sol = slipstick.simulate (model, "until", 20, "t_eval", 0:0.01:20, "set", {"parameters.mu", "0.2"})
%
% The motion of a model file. The result has the names of ode45: sol.x (times, a row), sol.y (a row per number),
% sol.xe, sol.ye, sol.ie (times of events, states right after them, and numbers of their contacts); further
% sol.names, sol.outcome, sol.t_end, and sol.answer, what the program prints with --json. Without t_eval the samples
% are so close together that lines through them are smooth, and both sides of every event are among them.
%
%   sol = slipstick.simulate ("models/two-blocks.yaml");
%   plot (sol.x, sol.y(1, :))
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function sol = simulate (model, varargin)
  [last, times, sets] = read_options (varargin);
  sol = slipstick_motion (model, last, times, sets);
  sol.answer = jsondecode (sol.json);
  at_events = sol;
  if (! isempty (times))
    at_events = slipstick_motion (model, last, [], sets);
  end
  [~, where] = ismember (sol.xe, at_events.x_after);
  sol.ye = nan (numel (sol.names), numel (sol.xe));
  sol.ye(:, where > 0) = at_events.y_after(:, where(where > 0));
  sol = rmfield (sol, {"json", "x_after", "y_after"});
end

function [last, times, sets] = read_options (words)
  last = []; times = []; sets = {};
  if (mod (numel (words), 2) != 0)
    error ("slipstick:usage", "options are names and values: \"until\", 20");
  end
  for k = 1:2:numel (words)
    value = words{k + 1};
    switch (words{k})
      case "until"
        if (! ischar (value) && ! (isnumeric (value) && isreal (value) && isscalar (value)))
          error ("slipstick:usage", "until: expected a time in s such as 20, or a text such as \"20 ms\"");
        end
        last = value;
      case "t_eval"
        if (! (isnumeric (value) && isreal (value)))
          error ("slipstick:usage", "t_eval: expected times in s such as 0:0.1:10");
        end
        times = double (value);
      case "set"
        if (! iscell (value) || mod (numel (value), 2) != 0)
          error ("slipstick:usage", "set: expected paths and values such as {\"parameters.mu\", 0.2}");
        end
        sets = cellfun (@text_of, value, "UniformOutput", false);
      otherwise
        error ("slipstick:usage", "no option '%s'; there are until, t_eval and set", words{k});
    end
  end
end

function text = text_of (value)
  text = value;
  if (! ischar (value))
    text = sprintf ("%.17g", value);
  end
end
