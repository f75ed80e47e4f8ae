# SPDX-FileCopyrightText: The Slipstick authors
# SPDX-License-Identifier: MIT
"""An importer of FMUs that shares nothing with the program: zipfile, ElementTree and ctypes.

Fmu(path) unpacks an FMU and reads its description; .instance() makes an instance with the calls of its version of the
standard. Every call's status is looked at; what the FMU logs is kept.
"""
import ctypes as C
import os
import pathlib
import shutil
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR, FATAL = range(5)

LOGGER2 = C.CFUNCTYPE(None, C.c_void_p, C.c_char_p, C.c_int, C.c_char_p, C.c_char_p, C.c_char_p)
ALLOCATE2 = C.CFUNCTYPE(C.c_void_p, C.c_size_t, C.c_size_t)
FREE2 = C.CFUNCTYPE(None, C.c_void_p)
FINISHED2 = C.CFUNCTYPE(None, C.c_void_p, C.c_int)
LOGGER3 = C.CFUNCTYPE(None, C.c_void_p, C.c_int, C.c_char_p, C.c_char_p)

# Every function of both versions: importers look all of them up.
COMMON = 'GetVersion SetDebugLogging FreeInstance EnterInitializationMode ExitInitializationMode Terminate Reset ' \
    'GetDirectionalDerivative EnterEventMode EnterContinuousTimeMode CompletedIntegratorStep SetTime ' \
    'SetContinuousStates GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates DoStep '
FUNCTIONS = {
    2: COMMON + 'GetTypesPlatform Instantiate SetupExperiment GetReal GetInteger GetBoolean GetString SetReal SetInteger '
    'SetBoolean SetString GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate '
    'DeSerializeFMUstate NewDiscreteStates GetDerivatives SetRealInputDerivatives GetRealOutputDerivatives CancelStep '
    'GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus',
    3: COMMON + 'InstantiateModelExchange InstantiateCoSimulation InstantiateScheduledExecution '
    + ''.join('%s%s ' % (way, kind) for way in ('Get', 'Set') for kind in
              'Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary Clock FMUState '
              'IntervalDecimal IntervalFraction ShiftDecimal ShiftFraction'.split())
    + 'GetNumberOfVariableDependencies GetVariableDependencies FreeFMUState SerializedFMUStateSize SerializeFMUState '
    'DeserializeFMUState GetAdjointDerivative EnterConfigurationMode ExitConfigurationMode EvaluateDiscreteStates '
    'UpdateDiscreteStates GetContinuousStateDerivatives GetNumberOfEventIndicators GetNumberOfContinuousStates '
    'EnterStepMode GetOutputDerivatives ActivateModelPartition'}


class Callbacks2(C.Structure):
    _fields_ = [('logger', LOGGER2), ('allocate', ALLOCATE2), ('free', FREE2), ('finished', FINISHED2),
                ('environment', C.c_void_p)]


class EventInfo2(C.Structure):
    _fields_ = [('again', C.c_int), ('terminate', C.c_int), ('nominals', C.c_int), ('states', C.c_int),
                ('next_defined', C.c_int), ('next_time', C.c_double)]


class CallFailed(Exception):
    pass


class Variable:
    """One variable of the description."""

    def __init__(self, element, place, version):
        self.name = element.get('name')
        self.reference = int(element.get('valueReference'))
        self.place = place
        self.causality = element.get('causality')
        self.variability = element.get('variability')
        self.initial = element.get('initial')
        own = element[0] if version == 2 else element
        self.type = own.tag
        self.start = own.get('start')
        self.unit = own.get('unit')
        self.derivative = own.get('derivative')
        self.nominal = own.get('nominal')
        self.least, self.most = own.get('min'), own.get('max')
        self.about = element.get('description')
        self.declared = own.get('declaredType')


class Fmu:
    def __init__(self, path):
        self.own = not os.path.isdir(path)  # a folder is an FMU that somebody else has unpacked
        self.folder = tempfile.mkdtemp(prefix='fmu-') if self.own else path
        if self.own:
            with zipfile.ZipFile(path) as archive:
                archive.extractall(self.folder)
        self.root = ElementTree.parse(os.path.join(self.folder, 'modelDescription.xml')).getroot()
        self.version = int(self.root.get('fmiVersion')[0])
        self.token = self.root.get('guid' if self.version == 2 else 'instantiationToken')
        self.variables = [Variable(e, k, self.version) for k, e in enumerate(self.root.find('ModelVariables'))]
        self.by_name = {v.name: v for v in self.variables}
        kind = self.root.find('CoSimulation')
        self.has_exchange = self.root.find('ModelExchange') is not None
        identifier = kind.get('modelIdentifier')
        folder = 'linux64' if self.version == 2 else 'x86_64-linux'
        self.binary = os.path.join(self.folder, 'binaries', folder, identifier + '.so')
        self.library = C.CDLL(self.binary)
        experiment = self.root.find('DefaultExperiment')
        self.stop = experiment.get('stopTime') and float(experiment.get('stopTime'))
        self.modes = {}
        types = self.root.find('TypeDefinitions')
        for kind in types if types is not None else []:
            names = {int(i.get('value')): i.get('name') for i in kind.iter('Item')}
            if names:
                self.modes[kind.get('name')] = names

    def state_variables(self):
        """States in the order of the structure, by the derivatives."""
        structure = self.root.find('ModelStructure')
        if self.version == 2:
            group = structure.find('Derivatives')
            rates = [self.variables[int(u.get('index')) - 1] for u in group] if group is not None else []
            return [self.variables[int(r.derivative) - 1] for r in rates]
        known = {v.reference: v for v in self.variables}
        rates = [known[int(u.get('valueReference'))] for u in structure.findall('ContinuousStateDerivative')]
        return [known[int(r.derivative)] for r in rates]

    def indicator_count(self):
        if self.version == 2:
            return int(self.root.get('numberOfEventIndicators', '0'))
        return len(self.root.find('ModelStructure').findall('EventIndicator'))

    def instance(self, exchange=False, name='one', logging=False, events=False, early=None):
        return (Instance2 if self.version == 2 else Instance3)(self, exchange, name, logging, events, early)

    def close(self):
        if self.own:
            shutil.rmtree(self.folder, ignore_errors=True)


class Instance:
    """What both versions share; calls that differ between them have their own methods below."""

    def __init__(self, fmu, exchange):
        self.fmu, self.exchange, self.log, self.time, self.events = fmu, exchange, [], 0.0, False

    def hear(self, status, category, text):
        self.log.append((status, category.decode(), text.decode()))

    def call(self, function, *arguments, expect=OK):
        status = getattr(self.fmu.library, self.prefix + function)(C.c_void_p(self.handle), *arguments)
        if status != expect:
            raise CallFailed('%s: %d, not %d: %s' % (function, status, expect, self.log[-3:]))
        return status

    def references(self, names):
        return (C.c_uint32 * len(names))(*[self.fmu.by_name[n].reference for n in names])

    def __getitem__(self, name):
        v = self.fmu.by_name[name]
        if v.type == 'Enumeration':
            return self.fmu.modes[v.declared][self.get_mode(name)]
        return self.get([name])[0]

    def __setitem__(self, name, value):
        self.set([name], [value])

    # --- values: references and numbers; version 3 counts both
    def exchange_values(self, function, names, values, expect=OK):
        count = C.c_size_t(len(names))
        self.call(function, self.references(names), count, values, *([count] if self.prefix == 'fmi3' else []),
                  expect=expect)
        return list(values)

    def get(self, names, expect=OK):
        return self.exchange_values('Get' + self.real, names, (C.c_double * len(names))(), expect)

    def get_mode(self, name):
        return self.exchange_values('Get' + self.integer, [name], (self.whole * 1)())[0]

    def set(self, names, values, expect=OK):
        self.exchange_values('Set' + self.real, names, (C.c_double * len(names))(*values), expect)

    def derivative(self, unknown, known, seed):
        out, n, m = (C.c_double * len(unknown))(), C.c_size_t(len(unknown)), C.c_size_t(len(known))
        seeds = (C.c_double * len(seed))(*seed)
        counted = self.prefix == 'fmi3'
        self.call('GetDirectionalDerivative', self.references(unknown), n, self.references(known), m, seeds,
                  *([m, out, n] if counted else [out]))
        return list(out)

    # --- the beginning
    def exit(self):
        self.call('ExitInitializationMode')

    def begin(self, start=0.0, values=None, stop=None):
        self.setup(start, stop)
        for name, value in (values or {}).items():
            self[name] = value
        self.enter()
        self.exit()
        if self.events:
            self.update()
            self.call('EnterStepMode')
        return self

    def step(self, size, expect=OK):
        self.step_to(self.time + size, expect)

    def reset(self):
        self.call('Reset')

    def free(self):
        getattr(self.fmu.library, self.prefix + 'FreeInstance')(C.c_void_p(self.handle))
        self.handle = None

    # --- states that are kept
    def save(self):
        state, size = C.c_void_p(None), C.c_size_t(0)
        self.call('Get' + self.state, C.byref(state))
        self.call('Serialized%sSize' % self.state, state, C.byref(size))
        data = (C.c_char * size.value)()
        self.call('Serialize' + self.state, state, data, size)
        self.call('Free' + self.state, C.byref(state))
        return bytes(data), self.time

    def load(self, saved, expect=OK):
        data, time = saved
        state = C.c_void_p(None)
        self.call(self.deserialize + self.state, data, C.c_size_t(len(data)), C.byref(state))
        self.call('Set' + self.state, state, expect=expect)
        self.call('Free' + self.state, C.byref(state))
        self.time = time

    # --- Model Exchange
    def enter_event_mode(self):
        self.call('EnterEventMode')

    def enter_continuous_time_mode(self):
        self.call('EnterContinuousTimeMode')

    def put(self, t, y):
        self.call('SetTime', C.c_double(t))
        self.call('SetContinuousStates', (C.c_double * len(y))(*y), C.c_size_t(len(y)))
        self.time = t

    def vector(self, function, count):
        out = (C.c_double * count)()
        self.call(function, out, C.c_size_t(count))
        return list(out)

    def states(self, count):
        return self.vector('GetContinuousStates', count)

    def rates(self, count):
        return self.vector(self.rates_name, count)

    def indicators(self, count):
        return self.vector('GetEventIndicators', count)

    def completed(self):
        event, end = self.boolean(), self.boolean()
        self.call('CompletedIntegratorStep', self.boolean(1), C.byref(event), C.byref(end))

    def update(self):
        """Event iteration until it ends: whether states have changed, and when the next time event is."""
        changed = False
        for _ in range(100):
            again, states, next_time = self.update_once()
            changed = changed or states
            if not again:
                return changed, next_time
        raise CallFailed('the event iteration does not end')


class Instance2(Instance):
    prefix, real, integer, whole, boolean = 'fmi2', 'Real', 'Integer', C.c_int, C.c_int
    state, deserialize, rates_name = 'FMUstate', 'DeSerialize', 'GetDerivatives'

    def __init__(self, fmu, exchange, name, logging, events, early=False):
        super().__init__(fmu, exchange)
        self.keep = LOGGER2(lambda env, who, status, category, form, text:
                            self.hear(status, category, text if form == b'%s' else form))
        self.callbacks = Callbacks2(self.keep, ALLOCATE2(0), FREE2(0), FINISHED2(0), None)
        make = fmu.library.fmi2Instantiate
        make.restype = C.c_void_p
        where = pathlib.Path(fmu.folder, 'resources').as_uri()
        self.handle = make(name.encode(), 0 if exchange else 1, fmu.token.encode(), where.encode(),
                           C.byref(self.callbacks), 0, int(logging))
        if not self.handle:
            raise CallFailed('fmi2Instantiate: %s' % self.log)

    def setup(self, start=0.0, stop=None):
        self.time = start
        self.call('SetupExperiment', 0, C.c_double(0), C.c_double(start), int(stop is not None), C.c_double(stop or 0))

    def enter(self):
        self.call('EnterInitializationMode')

    def try_step(self, size, expect=OK):
        self.call('DoStep', C.c_double(self.time), C.c_double(size), 1, expect=expect)

    def step_to(self, t, expect=OK):
        self.try_step(t - self.time, expect)
        self.time = t

    def slope(self, name, value, order=1, expect=OK):
        """The input grows with the time."""
        self.call('SetRealInputDerivatives', self.references([name]), C.c_size_t(1), (C.c_int * 1)(order),
                  (C.c_double * 1)(value), expect=expect)

    def update_once(self):
        info = EventInfo2()
        self.call('NewDiscreteStates', C.byref(info))
        return info.again, bool(info.states), info.next_time if info.next_defined else None


class Instance3(Instance):
    prefix, real, integer, whole, boolean = 'fmi3', 'Float64', 'Int64', C.c_int64, C.c_bool
    state, deserialize, rates_name = 'FMUState', 'Deserialize', 'GetContinuousStateDerivatives'

    def __init__(self, fmu, exchange, name, logging, events, early=None):
        super().__init__(fmu, exchange)
        self.keep = LOGGER3(lambda env, status, category, text: self.hear(status, category, text))
        self.events = events
        where = (os.path.join(fmu.folder, 'resources') + os.sep).encode()
        make = fmu.library.fmi3InstantiateModelExchange if exchange else fmu.library.fmi3InstantiateCoSimulation
        make.restype = C.c_void_p
        start = [name.encode(), fmu.token.encode(), where, C.c_bool(False), C.c_bool(logging)]
        if exchange:
            self.handle = make(*start, None, self.keep)
        else:
            early = events if early is None else early
            self.handle = make(*start, C.c_bool(events), C.c_bool(early), None, C.c_size_t(0), None, self.keep, None)
        if not self.handle:
            raise CallFailed('fmi3Instantiate: %s' % self.log)

    def setup(self, start=0.0, stop=None):
        self.time, self.stop = start, stop

    def enter(self):
        self.call('EnterInitializationMode', C.c_bool(False), C.c_double(0), C.c_double(self.time),
                  C.c_bool(self.stop is not None), C.c_double(self.stop or 0))

    def try_step(self, size, expect=OK):
        """One call: whether an event asks to be handled. self.time is where it ended."""
        event, end, early, reached = C.c_bool(), C.c_bool(), C.c_bool(), C.c_double()
        self.call('DoStep', C.c_double(self.time), C.c_double(size), C.c_bool(True), C.byref(event), C.byref(end),
                  C.byref(early), C.byref(reached), expect=expect)
        self.time = reached.value
        return event.value

    def step_to(self, t, expect=OK, on_event=None):
        while self.time < t:
            if self.try_step(t - self.time, expect):
                before = on_event and on_event(self)
                self.call('EnterEventMode')
                self.update()
                self.call('EnterStepMode')
                if on_event:
                    on_event(self, before)

    def slope(self, name, value, expect=OK):
        """The input grows with the time."""
        self.set(['der(%s)' % name], [value], expect=expect)

    def update_once(self):
        again, end, nominals, states, given = (C.c_bool() for _ in range(5))
        next_time = C.c_double()
        self.call('UpdateDiscreteStates', C.byref(again), C.byref(end), C.byref(nominals), C.byref(states),
                  C.byref(given), C.byref(next_time))
        return again.value, states.value, next_time.value if given.value else None
