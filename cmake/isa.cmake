# The instruction sets that the ops are compiled for on this processor: GYRE_ISAS, best last, and
# GYRE_ISA_FLAGS_name for each. A new set is a line here, a line in src/device/isa.c and a header
# of src/base/simd.h. WebAssembly has one, 128 bits wide, which cmake/wasm.cmake asks for everywhere:
# a module either runs on a machine or it does not.
# None of them asks for fused multiply-add: with -ffp-contract=off none is made either.

set(GYRE_ISAS)

macro(gyre_isa name)
    list(APPEND GYRE_ISAS ${name})
    set(GYRE_ISA_FLAGS_${name} ${ARGN})
endmacro()

gyre_isa(baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    gyre_isa(avx2 -mavx2)
    gyre_isa(avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    gyre_isa(neon)
endif()
