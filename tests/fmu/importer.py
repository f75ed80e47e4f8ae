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
        self.stop = float(experiment.get('stopTime'))
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

    def instance(self, exchange=False, name='one', logging=False, events=False):
        return (Instance2 if self.version == 2 else Instance3)(self, exchange, name, logging, events)

    def close(self):
        if self.own:
            shutil.rmtree(self.folder, ignore_errors=True)


class Instance:
    def __init__(self, fmu, exchange):
        self.fmu, self.exchange, self.log, self.time = fmu, exchange, [], 0.0

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


class Instance2(Instance):
    prefix = 'fmi2'

    def __init__(self, fmu, exchange, name, logging, events):
        super().__init__(fmu, exchange)
        self.keep = LOGGER2(lambda env, who, status, category, form, text: self.log.append(
            (status, category.decode(), (text if form == b'%s' else form).decode())))
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

    def exit(self):
        self.call('ExitInitializationMode')

    def begin(self, start=0.0, values=None):
        self.setup(start)
        for name, value in (values or {}).items():
            self[name] = value
        self.enter()
        self.exit()
        return self

    def get(self, names):
        out = (C.c_double * len(names))()
        self.call('GetReal', self.references(names), C.c_size_t(len(names)), out)
        return list(out)

    def get_mode(self, name):
        out = (C.c_int * 1)()
        self.call('GetInteger', self.references([name]), C.c_size_t(1), out)
        return out[0]

    def set(self, names, values, expect=OK):
        self.call('SetReal', self.references(names), C.c_size_t(len(names)), (C.c_double * len(names))(*values),
                  expect=expect)

    def step(self, size, expect=OK):
        self.call('DoStep', C.c_double(self.time), C.c_double(size), 1, expect=expect)
        self.time += size

    def step_to(self, t, expect=OK):
        self.call('DoStep', C.c_double(self.time), C.c_double(t - self.time), 1, expect=expect)
        self.time = t

    def save(self):
        state = C.c_void_p(None)
        self.call('GetFMUstate', C.byref(state))
        size = C.c_size_t(0)
        self.call('SerializedFMUstateSize', state, C.byref(size))
        data = (C.c_char * size.value)()
        self.call('SerializeFMUstate', state, data, size)
        self.call('FreeFMUstate', C.byref(state))
        return bytes(data), self.time

    def load(self, saved, expect=OK):
        data, time = saved
        state = C.c_void_p(None)
        self.call('DeSerializeFMUstate', data, C.c_size_t(len(data)), C.byref(state))
        self.call('SetFMUstate', state, expect=expect)
        self.call('FreeFMUstate', C.byref(state))
        self.time = time

    def reset(self):
        self.call('Reset')

    def free(self):
        self.fmu.library.fmi2FreeInstance(C.c_void_p(self.handle))
        self.handle = None

    # --- Model Exchange
    def update(self):
        """Event iteration until it ends: whether states have changed, and when the next time event is."""
        info, changed = EventInfo2(), False
        for _ in range(100):
            self.call('NewDiscreteStates', C.byref(info))
            changed = changed or bool(info.states)
            if not info.again:
                return changed, info.next_time if info.next_defined else None
        raise CallFailed('the event iteration does not end')

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
        return self.vector('GetDerivatives', count)

    def indicators(self, count):
        return self.vector('GetEventIndicators', count)

    def completed(self):
        event, end = C.c_int(), C.c_int()
        self.call('CompletedIntegratorStep', 1, C.byref(event), C.byref(end))

    def derivative(self, unknown, known, seed):
        out = (C.c_double * len(unknown))()
        self.call('GetDirectionalDerivative', self.references(unknown), C.c_size_t(len(unknown)),
                  self.references(known), C.c_size_t(len(known)), (C.c_double * len(seed))(*seed), out)
        return list(out)


class Instance3(Instance):
    prefix = 'fmi3'

    def __init__(self, fmu, exchange, name, logging, events):
        super().__init__(fmu, exchange)
        self.keep = LOGGER3(lambda env, status, category, text: self.log.append(
            (status, category.decode(), text.decode())))
        self.events = events
        where = (os.path.join(fmu.folder, 'resources') + os.sep).encode()
        make = fmu.library.fmi3InstantiateModelExchange if exchange else fmu.library.fmi3InstantiateCoSimulation
        make.restype = C.c_void_p
        start = [name.encode(), fmu.token.encode(), where, C.c_bool(False), C.c_bool(logging)]
        if exchange:
            self.handle = make(*start, None, self.keep)
        else:
            self.handle = make(*start, C.c_bool(events), C.c_bool(events), None, C.c_size_t(0), None, self.keep, None)
        if not self.handle:
            raise CallFailed('fmi3Instantiate: %s' % self.log)

    def setup(self, start=0.0, stop=None):
        self.time = start

    def enter(self):
        self.call('EnterInitializationMode', C.c_bool(False), C.c_double(0), C.c_double(self.time), C.c_bool(False),
                  C.c_double(0))

    def exit(self):
        self.call('ExitInitializationMode')

    def begin(self, start=0.0, values=None):
        self.setup(start)
        for name, value in (values or {}).items():
            self[name] = value
        self.enter()
        self.exit()
        if self.events:
            self.update()
            self.call('EnterStepMode')
        return self

    def get(self, names):
        out = (C.c_double * len(names))()
        self.call('GetFloat64', self.references(names), C.c_size_t(len(names)), out, C.c_size_t(len(names)))
        return list(out)

    def get_mode(self, name):
        out = (C.c_int64 * 1)()
        self.call('GetInt64', self.references([name]), C.c_size_t(1), out, C.c_size_t(1))
        return out[0]

    def set(self, names, values, expect=OK):
        self.call('SetFloat64', self.references(names), C.c_size_t(len(names)), (C.c_double * len(names))(*values),
                  C.c_size_t(len(names)), expect=expect)

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

    def step(self, size, expect=OK):
        self.step_to(self.time + size, expect)

    def update(self):
        again, end, nominals, states, given = (C.c_bool() for _ in range(5))
        next_time, changed = C.c_double(), False
        for _ in range(100):
            self.call('UpdateDiscreteStates', C.byref(again), C.byref(end), C.byref(nominals), C.byref(states),
                      C.byref(given), C.byref(next_time))
            changed = changed or states.value
            if not again.value:
                return changed, next_time.value if given.value else None
        raise CallFailed('the event iteration does not end')

    enter_event_mode = Instance2.enter_event_mode
    enter_continuous_time_mode = Instance2.enter_continuous_time_mode
    put, vector, states, indicators = Instance2.put, Instance2.vector, Instance2.states, Instance2.indicators

    def rates(self, count):
        return self.vector('GetContinuousStateDerivatives', count)

    def completed(self):
        event, end = C.c_bool(), C.c_bool()
        self.call('CompletedIntegratorStep', C.c_bool(True), C.byref(event), C.byref(end))

    def derivative(self, unknown, known, seed):
        out, n = (C.c_double * len(unknown))(), C.c_size_t(len(unknown))
        self.call('GetDirectionalDerivative', self.references(unknown), n, self.references(known),
                  C.c_size_t(len(known)), (C.c_double * len(seed))(*seed), C.c_size_t(len(seed)), out, n)
        return list(out)

    def save(self):
        state = C.c_void_p(None)
        self.call('GetFMUState', C.byref(state))
        size = C.c_size_t(0)
        self.call('SerializedFMUStateSize', state, C.byref(size))
        data = (C.c_char * size.value)()
        self.call('SerializeFMUState', state, data, size)
        self.call('FreeFMUState', C.byref(state))
        return bytes(data), self.time

    def load(self, saved, expect=OK):
        data, time = saved
        state = C.c_void_p(None)
        self.call('DeserializeFMUState', data, C.c_size_t(len(data)), C.byref(state))
        self.call('SetFMUState', state, expect=expect)
        self.call('FreeFMUState', C.byref(state))
        self.time = time

    def reset(self):
        self.call('Reset')

    def free(self):
        self.fmu.library.fmi3FreeInstance(C.c_void_p(self.handle))
        self.handle = None
