% path = slipstick.program ()
%
% The program that these functions run: SLIPSTICK_PROGRAM if that is set, else slipstick on the path.
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function path = program ()
  path = getenv ("SLIPSTICK_PROGRAM");
  if (isempty (path))
    path = "slipstick";
  end
end
