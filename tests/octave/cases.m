% SPDX-FileCopyrightText: The Slipstick authors
% SPDX-License-Identifier: MIT
%
% What the Octave package promises, case by case; ends in 'N passed, N failed'.
1;

function check_motion ()
  sol = slipstick.simulate ("models/two-blocks.yaml");
  told = slipstick.ask ("simulate", "models/two-blocks.yaml");
  assert (sol.outcome, told.outcome);
  assert (sol.t_end, told.t, -4 * eps);
  assert (sol.names', {"block1.x", "block1.v", "block2.x", "block2.v"});
  assert (sol.xe, [told.events.t], -4 * eps); % jsondecode rounds the last digit
  assert (sol.y(1, end), told.state.block1.x, -4 * eps);
  assert (size (sol.ye), [4, numel(sol.xe)]);
  assert (! any (isnan (sol.ye(:))));
  assert (sol.answer.energy.residual, told.energy.residual);
end

function check_times ()
  t = 0:0.25:5;
  sol = slipstick.simulate ("models/two-blocks.yaml", "until", 5, "t_eval", t, "set", {"contacts.floor1.friction", 0.5});
  assert (sol.x, t);
  assert (sol.y(1, 1), 4);
  assert (sol.outcome, "time-reached");
  other = slipstick.simulate ("models/two-blocks.yaml", "until", 5, "t_eval", t);
  assert (abs (other.y(1, end) - sol.y(1, end)) > 1e-6);
end

function check_closed_form ()
  sol = slipstick.simulate ("models/block-on-floor.yaml", "set", {"connections[0].damping", "0", "block.x", "4 m"});
  assert (sol.t_end, 2 * pi, 1e-14);
  assert (sol.xe, [pi, 2 * pi], 1e-14);
  assert (sol.ye(1, :), [-2, 0], 1e-14);
end

% A block that swings about the centres +-1 m: every sample lies on the cosine, and no chord between neighbours is
% further from it than a picture shows.
function check_smooth ()
  sol = slipstick.simulate ("models/block-on-floor.yaml", "set", {"connections[0].damping", "0", "block.x", "4 m"});
  x = @(t) (1 + 3 * cos (t)) .* (t <= pi) + (-1 + cos (t - 2 * pi)) .* (t > pi);
  assert (sol.y(1, :), x (sol.x), 1e-12);
  middle = (sol.x(1:end - 1) + sol.x(2:end)) / 2;
  chord = (sol.y(1, 1:end - 1) + sol.y(1, 2:end)) / 2;
  assert (max (abs (chord - x (middle))) < 6e-3);
  assert (sol.x(end), sol.t_end);
  assert (all (ismember (sol.xe, sol.x)));
end

function check_slider ()
  sol = slipstick.simulate ("models/disk.yaml");
  assert (sol.names', {"x", "y", "angle", "vx", "vy", "spin"});
  assert (sol.outcome, "at-rest");
end

function check_answers ()
  certificate = slipstick.certify ("models/block-on-floor.yaml");
  assert (certificate.verdict, "local");
  cycle = slipstick.cycle ("models/stick-slip-belt.yaml");
  assert (cycle.stable);
  told = slipstick.check ("models/two-blocks.yaml");
  assert (isfield (told, "kind"));
  map = slipstick.basin ("models/block-on-floor.yaml", "--over", "block.x=-2:2:5", "--over", "block.v=0:0:1");
  assert (isstruct (map));
end

function check_files ()
  base = tempname ();
  for ending = {".mat", ".h5"}
    slipstick.ask ("simulate", "models/two-blocks.yaml", "--every", "0.5", "--out", [base ending{1}]);
    kept = load ([base ending{1}]);
    sol = slipstick.simulate ("models/two-blocks.yaml", "t_eval", kept.t(:)');
    assert (kept.bodies.block1.x(:)', sol.y(1, :));
    assert (kept.bodies.block2.v(:)', sol.y(4, :));
    assert (double (kept.contacts.floor1.mode(1)), 1);
    delete ([base ending{1}]);
  end
end

function check_errors ()
  try
    slipstick.simulate ("models/two-blocks.yaml", "set", {"contacts.floor1.friction", "-1"});
    error ("no error");
  catch failure
    assert (failure.identifier, "slipstick:ModelError");
    assert (! isempty (strfind (failure.message, "friction")));
  end
  try
    slipstick.check ("no-such-file.yaml");
    error ("no error");
  catch failure
    assert (strncmp (failure.identifier, "slipstick:", 10));
  end
end

% Texts have units, and what is no time is refused: its characters would be taken for numbers.
function check_options ()
  file = "models/two-blocks.yaml";
  sol = slipstick.simulate (file, "until", "2 s");
  assert (sol.t_end, 2);
  sol = slipstick.simulate (file, "until", "500 ms");
  assert (sol.t_end, 0.5);
  wrong = {{"until", "2 m"}, {"until", "soon"}, {"until", [1 2]}, {"until"}, {"t_eval", "1 s"}, ...
           {"t_eval", {0, 1}}, {"set", "parameters.mu"}, {"unit", 3}};
  for k = 1:numel (wrong)
    told = "";
    try
      slipstick.simulate (file, wrong{k}{:});
    catch failure
      told = failure.identifier;
    end
    assert (any (strcmp (told, {"slipstick:usage", "slipstick:ModelError"})));
  end
end

cases = {@check_motion, @check_times, @check_closed_form, @check_smooth, @check_slider, ...
         @check_answers, @check_files, @check_errors, @check_options};
failed = 0;
for k = 1:numel (cases)
  try
    cases{k} ();
  catch failure
    failed++;
    printf ("%s: %s\n", func2str (cases{k}), failure.message);
  end
end
printf ("%d passed, %d failed\n", numel (cases) - failed, failed);
if (failed > 0) exit (1); end
