% answer = slipstick.cycle (model, ...)
%
% A motion that repeats.
% The answer is what the program prints with --json.
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function answer = cycle (model, varargin)
  answer = slipstick.ask ("cycle", model, varargin{:});
end
