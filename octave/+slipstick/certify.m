% answer = slipstick.certify (model, ...)
%
% Must it come to rest, and from where.
% The answer is what the program prints with --json.
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function answer = certify (model, varargin)
  answer = slipstick.ask ("certify", model, varargin{:});
end
