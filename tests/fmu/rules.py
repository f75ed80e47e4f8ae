# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""What the standard asks of a modelDescription.xml, as far as our FMUs can break it: which elements there are and in
which order, attributes that are needed or forbidden, names and references, and what the structure must list."""
import os
import re

ORDER2 = ['ModelExchange', 'CoSimulation', 'UnitDefinitions', 'TypeDefinitions', 'LogCategories', 'DefaultExperiment',
          'VendorAnnotations', 'ModelVariables', 'ModelStructure']
ORDER3 = ['ModelExchange', 'CoSimulation', 'ScheduledExecution', 'UnitDefinitions', 'TypeDefinitions', 'LogCategories',
          'DefaultExperiment', 'ModelVariables', 'ModelStructure', 'Annotations']
STRUCTURE = {2: ['Outputs', 'Derivatives', 'InitialUnknowns'],
             3: ['Output', 'ContinuousStateDerivative', 'ClockedState', 'InitialUnknown', 'EventIndicator']}
# Allowed `initial` by causality and variability (tables of sections 2.2.7 and 2.4.7.5); None: must not be given.
INITIAL = {('parameter', 'fixed'): {'exact'}, ('parameter', 'tunable'): {'exact'}, ('input', 'continuous'): {None},
           ('output', 'continuous'): {'exact', 'approx', 'calculated', None},
           ('output', 'discrete'): {'exact', 'approx', 'calculated', None},
           ('local', 'continuous'): {'exact', 'approx', 'calculated', None}, ('independent', 'continuous'): {None}}


def check_order(found, order, where):
    places = [order.index(tag) for tag in found if tag in order]
    unknown = [tag for tag in found if tag not in order]
    return ['%s: %s is unknown' % (where, tag) for tag in unknown] + \
        ([] if places == sorted(places) else ['%s: out of order: %s' % (where, found)])


def check_head(fmu):
    root, said = fmu.root, []
    said += check_order([e.tag for e in root], ORDER2 if fmu.version == 2 else ORDER3, 'fmiModelDescription')
    for needed in ('ModelVariables', 'ModelStructure', 'CoSimulation'):
        if root.find(needed) is None:
            said.append(needed + ' is missing')
    for kind in root.findall('ModelExchange') + root.findall('CoSimulation'):
        if not re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', kind.get('modelIdentifier', '')):
            said.append('modelIdentifier is no C identifier')
    if not os.path.exists(fmu.binary):
        said.append('there is no binary where it should be')
    if not os.path.exists(os.path.join(fmu.folder, 'documentation', 'index.html')):
        said.append('there is no page')
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
    if v.declared is not None and v.declared not in types:
        said.append('%s: the type %s is not defined' % (v.name, v.declared))
    if v.type == 'Enumeration' and v.declared is None:
        said.append('%s: an enumeration needs a type' % v.name)
    if v.start is not None:
        float(v.start)
    return said


def check_variables(fmu):
    said, root = [], fmu.root
    units = {u.get('name') for u in root.find('UnitDefinitions')}
    types = {t.get('name') for t in (root.find('TypeDefinitions') if root.find('TypeDefinitions') is not None else [])}
    names, references = [v.name for v in fmu.variables], [v.reference for v in fmu.variables]
    if len(set(names)) < len(names):
        said.append('two variables have one name')
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
    said = check_order([e.tag for e in fmu.root.find('ModelStructure')], STRUCTURE[fmu.version], 'ModelStructure')
    outputs, rates, unknown = (listed(fmu, group) for group in STRUCTURE[fmu.version][:2] + [STRUCTURE[fmu.version][-1 if
                               fmu.version == 2 else 3]])
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
    for v, dependencies in outputs + rates:
        said += ['%s depends on %s, which is not known' % (v.name, d.name) for d in dependencies or []
                 if d.name not in allowed]
    return said


def look(fmu):
    """Complaints, one line each."""
    return check_head(fmu) + check_variables(fmu) + check_structure(fmu)
