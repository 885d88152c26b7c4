# Compile options of every target of ours. Nothing here changes the numbers: no -ffast-math, no -march;
# instruction sets are chosen at run time (kernels/cpu).
find_package(OpenMP REQUIRED)

add_library(anneal_options INTERFACE)
target_include_directories(anneal_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(anneal_options INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  $<$<BOOL:${ANNEAL_WARNINGS_AS_ERRORS}>:-Werror>)
# g++ 12 at -O2 and above sees faults inside std::string and std::variant where there are none (its bugs 105651, 105329,
# 105562, 80635).
target_compile_options(anneal_options INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds;-Wno-maybe-uninitialized>")
# x87 never; a*b+c may be one rounding on machines that have it, the same for every run on that machine.
target_compile_options(anneal_options INTERFACE -fno-math-errno)

if(ANNEAL_SANITIZE STREQUAL "address")
  target_compile_options(anneal_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(anneal_options INTERFACE -fsanitize=address,undefined)
elseif(ANNEAL_SANITIZE STREQUAL "thread")
  target_compile_options(anneal_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(anneal_options INTERFACE -fsanitize=thread)
elseif(ANNEAL_SANITIZE)
  message(FATAL_ERROR "ANNEAL_SANITIZE is '${ANNEAL_SANITIZE}'. Use address, thread or nothing.")
endif()

# JSON and formatting are most of what a small file costs to compile: read once instead of in every file. The dev preset
# goes without, so that a missing include is seen.
option(ANNEAL_PRECOMPILED_HEADERS "Precompile the headers that most files read" OFF)
function(anneal_precompiled_headers name)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string> <string_view> <variant>
    <vector> <fmt/format.h> <nlohmann/json.hpp> ${ARGN})
endfunction()
if(ANNEAL_PRECOMPILED_HEADERS)
  # Programs would be compiled for another position-independence than libraries, and could not share the headers.
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
  set(CMAKE_PCH_WARN_INVALID OFF)  # not used is slower, not wrong
  file(WRITE ${PROJECT_BINARY_DIR}/precompiled.cpp "")
  add_library(anneal_precompiled STATIC ${PROJECT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(anneal_precompiled PRIVATE anneal_options fmt::fmt nlohmann_json::nlohmann_json)
  anneal_precompiled_headers(anneal_precompiled)
endif()

# anneal_library(name sources...): one static library of the house, with its options.
function(anneal_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC anneal_options)
  if(ANNEAL_PRECOMPILED_HEADERS)
    target_precompile_headers(${name} REUSE_FROM anneal_precompiled)
  endif()
endfunction()
