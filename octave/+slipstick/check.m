% answer = slipstick.check (model, ...)
%
% What can be said of a model before it moves.
% The answer is what the program prints with --json.
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function answer = check (model, varargin)
  answer = slipstick.ask ("check", model, varargin{:});
end
