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
  for k = 1:2:numel (words)
    switch (words{k})
      case "until"
        last = words{k + 1};
      case "t_eval"
        times = double (words{k + 1});
      case "set"
        sets = cellfun (@text_of, words{k + 1}, "UniformOutput", false);
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
