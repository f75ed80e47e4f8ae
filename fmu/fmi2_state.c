// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// FMI 2.0: states of an instance that are kept, brought back and written out.
#include "blob.h"
#include "fmi2.h"

static bool may(fmu_instance* instance, const char* call)
{
    return instance && fmu_allowed(instance, ~FMU_CONFIGURING, call);
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state)
{
    if (!may(c, "fmi2GetFMUstate") || !state) return fmi2Error;
    return (fmi2Status)fmu_blob_take(c, (fmu_blob**)state);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    if (!may(c, "fmi2SetFMUstate")) return fmi2Error;
    return (fmi2Status)fmu_blob_bring_back(c, state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state)
{
    if (!may(c, "fmi2FreeFMUstate")) return fmi2Error;
    if (state) fmu_blob_free((fmu_blob**)state);
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size)
{
    if (!may(c, "fmi2SerializedFMUstateSize") || !state || !size) return fmi2Error;
    *size = ((fmu_blob*)state)->size;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    if (!may(c, "fmi2SerializeFMUstate")) return fmi2Error;
    return (fmi2Status)fmu_blob_write(c, state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state)
{
    if (!may(c, "fmi2DeSerializeFMUstate") || !state) return fmi2Error;
    return (fmi2Status)fmu_blob_read(c, bytes, size, (fmu_blob**)state);
}
