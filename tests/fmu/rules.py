# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What the standard asks of the files of an FMU. fmi2.xsd and fmi3.xsd say which elements and attributes there may be;
here is what a schema cannot say: what goes with what, names by the naming convention, references, what the structure
must list and in which order."""
import os
import re
import subprocess

STRUCTURE = {2: ['Outputs', 'Derivatives', 'InitialUnknowns'],
             3: ['Output', 'ContinuousStateDerivative', 'InitialUnknown']}
# Allowed `initial` by causality and variability; None: must not be given.
INITIAL = {('parameter', 'fixed'): {'exact'}, ('parameter', 'tunable'): {'exact'}, ('input', 'continuous'): {None},
           ('output', 'continuous'): {'exact', 'approx', 'calculated', None},
           ('output', 'discrete'): {'exact', 'approx', 'calculated', None},
           ('local', 'continuous'): {'exact', 'approx', 'calculated', None}, ('independent', 'continuous'): {None}}
PART = r"(?:[A-Za-z_][A-Za-z_0-9]*|'[^']+')(?:\[[0-9]+(?:,[0-9]+)*\])?"
STRUCTURED = re.compile(r'(?:der\()?%s(?:\.%s)*\)?' % (PART, PART))


def check_schema(fmu):
    """xmllint's words."""
    files = [os.path.join(fmu.folder, 'modelDescription.xml'), os.path.join(fmu.folder, 'sources', 'buildDescription.xml')]
    schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'fmi%d.xsd' % fmu.version)
    found = subprocess.run(['xmllint', '--noout', '--schema', schema, *filter(os.path.exists, files)],
                           stderr=subprocess.PIPE, text=True)
    return [] if found.returncode == 0 else found.stderr.splitlines()


def check_head(fmu):
    root, said = fmu.root, []
    if not os.path.exists(fmu.binary):
        said.append('there is no binary where it should be')
    if not os.path.exists(os.path.join(fmu.folder, 'documentation', 'index.html')):
        said.append('there is no page')
    structured = root.get('variableNamingConvention') == 'structured'
    for v in fmu.variables:
        if structured and (not STRUCTURED.fullmatch(v.name) or v.name.startswith('der(') != v.name.endswith(')')):
            said.append('%s is no structured name' % v.name)
    for kind in root.iter('EnumerationType' if fmu.version == 3 else 'Enumeration'):
        items = [int(item.get('value')) for item in kind.findall('Item')]
        if items and items != list(range(1, len(items) + 1)):
            said.append('the items of an enumeration do not count from 1: %s' % items)
    return said


def check_variable(v, units, types):
    said = []
    allowed = INITIAL.get((v.causality, v.variability))
    if allowed is None or v.initial not in allowed:
        said.append('%s: initial %s does not go with %s and %s' % (v.name, v.initial, v.causality, v.variability))
    needs_start = v.causality in ('input', 'parameter') or v.initial in ('exact', 'approx')
    if needs_start != (v.start is not None):
        said.append('%s: start %s' % (v.name, v.start))
    if v.unit is not None and v.unit not in units:
        said.append('%s: the unit %s is not defined' % (v.name, v.unit))
    if v.start is not None and not float(v.least or '-inf') <= float(v.start) <= float(v.most or 'inf'):
        said.append('%s: start %s is not between %s and %s' % (v.name, v.start, v.least, v.most))
    if not v.about:
        said.append('%s: no description' % v.name)
    if v.declared is not None and v.declared not in types:
        said.append('%s: the type %s is not defined' % (v.name, v.declared))
    if v.type == 'Enumeration' and v.declared is None:
        said.append('%s: an enumeration needs a type' % v.name)
    if v.type == 'Enumeration' and v.variability == 'continuous':
        said.append('%s: an enumeration is continuous' % v.name)
    if v.derivative is not None and v.variability != 'continuous':
        said.append('%s: a derivative is not continuous' % v.name)
    return said


def check_variables(fmu):
    said, root = [], fmu.root
    units = {u.get('name') for u in root.find('UnitDefinitions')}
    types = {t.get('name') for t in (root.find('TypeDefinitions') if root.find('TypeDefinitions') is not None else [])}
    references = [v.reference for v in fmu.variables]
    if len(set(references)) < len(references):
        said.append('two variables have one value reference')
    if sum(v.causality == 'independent' for v in fmu.variables) != 1:
        said.append('there is not one independent variable')
    for v in fmu.variables:
        said += check_variable(v, units, types)
    return said


def listed(fmu, group):
    """Variables that a part of the structure lists, with their dependencies as variables (None: not given)."""
    structure = fmu.root.find('ModelStructure')
    if fmu.version == 2:
        part = structure.find(group)
        entries = [] if part is None else list(part)
        by = {str(v.place + 1): v for v in fmu.variables}
        key = 'index'
    else:
        entries, key = structure.findall(group), 'valueReference'
        by = {str(v.reference): v for v in fmu.variables}
    return [(by[e.get(key)], None if e.get('dependencies') is None else [by[d] for d in e.get('dependencies').split()])
            for e in entries]


def check_structure(fmu):
    said = []
    outputs, rates, unknown = (listed(fmu, group) for group in STRUCTURE[fmu.version])
    if {v.name for v, _ in outputs} != {v.name for v in fmu.variables if v.causality == 'output'}:
        said.append('the outputs are not those that are listed')
    states = {v.name for v in fmu.state_variables()}
    for v, _ in rates:
        if v.derivative is None:
            said.append('%s is no derivative' % v.name)
    if len(states) != len(rates):
        said.append('two derivatives of one state')
    wanted = {v.name for v in fmu.variables if v.initial in ('calculated', 'approx') and
              (v.causality == 'output' or v.derivative is not None or v.name in states)}
    if {v.name for v, _ in unknown} != wanted:
        said.append('the unknowns of the initialisation: %s' % ({v.name for v, _ in unknown} ^ wanted))
    places = [v.place for v, _ in unknown]
    if places != sorted(places):
        said.append('the unknowns of the initialisation are not in order')
    allowed = states | {v.name for v in fmu.variables if v.causality in ('input', 'independent')}
    for v, dependencies in outputs + rates + unknown:
        places = [d.place for d in dependencies or []]
        if places != sorted(set(places)):
            said.append('%s: its dependencies are not in order' % v.name)
    for v, dependencies in outputs + rates:
        said += ['%s depends on %s, which is not known' % (v.name, d.name) for d in dependencies or []
                 if d.name not in allowed]
    return said


def look(fmu):
    """Complaints, one line each."""
    return check_schema(fmu) + check_head(fmu) + check_variables(fmu) + check_structure(fmu)
