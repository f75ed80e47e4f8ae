% answer = slipstick.ask (command, model, ...)
%
% Runs the command line with --json and decodes what it prints: any command, any option, as texts.
%
%   answer = slipstick.ask ("surface", "models/disk.yaml", "--eigen");
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function answer = ask (command, model, varargin)
  words = [{slipstick.program(), command, model}, cellfun(@text_of, varargin, "UniformOutput", false), {"--json"}];
  quoted = cellfun (@(word) ["'" strrep(word, "'", "'\\''") "'"], words, "UniformOutput", false);
  errors = tempname ();
  [status, text] = system ([strjoin(quoted, " ") " 2>'" errors "'"]);
  told = strtrim (fileread (errors));
  delete (errors);
  if (status == 2)
    error ("slipstick:ModelError", "%s", told);
  elseif (status != 0)
    error ("slipstick:RunError", "%s", told);
  end
  answer = jsondecode (text);
end

function text = text_of (value)
  text = value;
  if (! ischar (value))
    text = sprintf ("%.17g", value);
  end
end
