// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 3.0: values of variables, by type. Numbers are Float64, modes are enumerations, which go as Int64; of
// other types there are none.
#include "blob.h"
#include "fmi3.h"
#include "instance.h"
#include "model_exchange.h"

enum {
    ASKABLE = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_STEPPING |
              FMU_TERMINATED | FMU_FAULTY,
    SETTABLE = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_STEPPING
};

static bool may(fmu_instance* instance, int phases, const char* call)
{
    return instance && fmu_allowed(instance, phases, call);
}

static fmi3Status fault(fmu_instance* instance, const char* text)
{
    fmu_log(instance, FMU_ERROR, FMU_TOPIC_ERROR, "%s", text);
    return fmi3Error;
}

// All variables are scalars: as many values as references.
static bool fits(fmu_instance* instance, const void* references, size_t count, const void* values,
                 size_t value_count)
{
    if (count == value_count && (count == 0 || (references && values))) return true;
    fault(instance, "value references and values do not match: all variables are scalars");
    return false;
}

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference vr[], size_t count, fmi3Float64 values[],
                          size_t value_count)
{
    if (!may(i, ASKABLE, "fmi3GetFloat64") || !fits(i, vr, count, values, value_count)) return fmi3Error;
    fmu_status status = FMU_OK;
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) status = fmu_get(i, vr[k], false, &values[k]);
    return (fmi3Status)status;
}

fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference vr[], size_t count,
                          const fmi3Float64 values[], size_t value_count)
{
    if (!may(i, SETTABLE, "fmi3SetFloat64") || !fits(i, vr, count, values, value_count)) return fmi3Error;
    fmu_status status = FMU_OK;
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) status = fmu_set(i, vr[k], values[k]);
    return (fmi3Status)status;
}

fmi3Status fmi3GetInt64(fmi3Instance i, const fmi3ValueReference vr[], size_t count, fmi3Int64 values[],
                        size_t value_count)
{
    if (!may(i, ASKABLE, "fmi3GetInt64") || !fits(i, vr, count, values, value_count)) return fmi3Error;
    fmu_status status = FMU_OK;
    for (size_t k = 0; k < count && status <= FMU_WARNING; k++) {
        double mode = 0.0;
        status = fmu_get(i, vr[k], true, &mode);
        values[k] = (fmi3Int64)mode;
    }
    return (fmi3Status)status;
}

// ---- types that no variable has

static fmi3Status no_such(fmu_instance* instance, int phases, const char* call, size_t count)
{
    if (!may(instance, phases, call)) return fmi3Error;
    return count == 0 ? fmi3OK
                      : fault(instance, "there are no variables of this type that could be asked for or set");
}

#define NO_GET(Type)                                                                                         \
    fmi3Status fmi3Get##Type(fmi3Instance i, const fmi3ValueReference vr[], size_t count,                    \
                             fmi3##Type values[], size_t value_count)                                        \
    {                                                                                                        \
        (void)vr, (void)values, (void)value_count;                                                           \
        return no_such(i, ASKABLE, "fmi3Get" #Type, count);                                                  \
    }
#define NO_SET(Type)                                                                                         \
    fmi3Status fmi3Set##Type(fmi3Instance i, const fmi3ValueReference vr[], size_t count,                    \
                             const fmi3##Type values[], size_t value_count)                                  \
    {                                                                                                        \
        (void)vr, (void)values, (void)value_count;                                                           \
        return no_such(i, SETTABLE & ~FMU_CONTINUOUS, "fmi3Set" #Type, count);                               \
    }
NO_GET(Float32)
NO_SET(Float32)
NO_GET(Int8)
NO_SET(Int8)
NO_GET(UInt8)
NO_SET(UInt8)
NO_GET(Int16)
NO_SET(Int16)
NO_GET(UInt16)
NO_SET(UInt16)
NO_GET(Int32)
NO_SET(Int32)
NO_GET(UInt32)
NO_SET(UInt32)
NO_SET(Int64)
NO_GET(UInt64)
NO_SET(UInt64)
NO_GET(Boolean)
NO_SET(Boolean)
NO_GET(String)
NO_SET(String)

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference vr[], size_t count, size_t sizes[],
                         fmi3Binary values[], size_t value_count)
{
    (void)vr, (void)sizes, (void)values, (void)value_count;
    return no_such(i, ASKABLE, "fmi3GetBinary", count);
}

fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference vr[], size_t count, const size_t sizes[],
                         const fmi3Binary values[], size_t value_count)
{
    (void)vr, (void)sizes, (void)values, (void)value_count;
    return no_such(i, SETTABLE & ~FMU_CONTINUOUS, "fmi3SetBinary", count);
}

fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference vr[], size_t count, fmi3Clock values[])
{
    (void)vr, (void)values;
    return no_such(i, FMU_AT_EVENT, "fmi3GetClock", count);
}

fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference vr[], size_t count, const fmi3Clock values[])
{
    (void)vr, (void)values;
    return no_such(i, FMU_AT_EVENT, "fmi3SetClock", count);
}

// ---- dependencies and derivatives

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference reference, size_t* count)
{
    (void)reference, (void)count;
    return i ? fault(i, "dependencies do not change: they are in the description") : fmi3Error;
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference dependent, size_t elements[],
                                       fmi3ValueReference independent[], size_t others[],
                                       fmi3DependencyKind kinds[], size_t count)
{
    (void)dependent, (void)elements, (void)independent, (void)others, (void)kinds, (void)count;
    return i ? fault(i, "dependencies do not change: they are in the description") : fmi3Error;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference unknown[],
                                        size_t unknown_count, const fmi3ValueReference known[],
                                        size_t known_count, const fmi3Float64 seed[], size_t seed_count,
                                        fmi3Float64 sensitivity[], size_t sensitivity_count)
{
    const int phases = ASKABLE & ~FMU_INSTANTIATED;
    if (!may(i, phases, "fmi3GetDirectionalDerivative") ||
        !fits(i, unknown, unknown_count, sensitivity, sensitivity_count) ||
        !fits(i, known, known_count, seed, seed_count))
        return fmi3Error;
    return (fmi3Status)fmu_directional(i, unknown, unknown_count, known, known_count, seed, sensitivity);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference unknown[], size_t unknown_count,
                                    const fmi3ValueReference known[], size_t known_count,
                                    const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
                                    size_t sensitivity_count)
{
    (void)unknown, (void)unknown_count, (void)known, (void)known_count, (void)seed, (void)seed_count;
    (void)sensitivity, (void)sensitivity_count;
    return i ? fault(i, "adjoint derivatives are not offered") : fmi3Error;
}

// ---- states that are kept

static bool may_keep(fmu_instance* instance, const char* call)
{
    return instance && fmu_allowed(instance, ASKABLE, call);
}

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state)
{
    if (!may_keep(i, "fmi3GetFMUState") || !state) return fmi3Error;
    return (fmi3Status)fmu_blob_take(i, (fmu_blob**)state);
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state)
{
    return may_keep(i, "fmi3SetFMUState") ? (fmi3Status)fmu_blob_bring_back(i, state) : fmi3Error;
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state)
{
    if (!may_keep(i, "fmi3FreeFMUState")) return fmi3Error;
    if (state) fmu_blob_free((fmu_blob**)state);
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size)
{
    if (!may_keep(i, "fmi3SerializedFMUStateSize") || !state || !size) return fmi3Error;
    *size = ((fmu_blob*)state)->size;
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    return may_keep(i, "fmi3SerializeFMUState") ? (fmi3Status)fmu_blob_write(i, state, bytes, size)
                                                : fmi3Error;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size, fmi3FMUState* state)
{
    if (!may_keep(i, "fmi3DeserializeFMUState") || !state) return fmi3Error;
    return (fmi3Status)fmu_blob_read(i, bytes, size, (fmu_blob**)state);
}
