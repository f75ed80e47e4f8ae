% answer = slipstick.basin (model, ...)
%
% What becomes of every start; options as texts, such as "--over", "block.x=-2:2:41".
% The answer is what the program prints with --json.
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function answer = basin (model, varargin)
  answer = slipstick.ask ("basin", model, varargin{:});
end
