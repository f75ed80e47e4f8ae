% answer = slipstick.fit (model, recording, ...)
%
% Finds numbers with which the model's motion shows what was recorded.
%
%   answer = slipstick.fit ("model.yaml", "data.csv", "--column", "disk.x=position_m", "--free", "contacts.frame.alpha");
% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
function answer = fit (model, recording, varargin)
  answer = slipstick.ask ("fit", model, recording, varargin{:});
end
