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
# A file that is joined with others is not a header, though g++ takes it for one.
if(CMAKE_UNITY_BUILD)
  target_compile_options(anneal_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
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

# anneal_library(name sources...): one static library of the house, with its options.
function(anneal_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC anneal_options)
endfunction()

# compiled_alone(sources...): never joined with others where sources are compiled several at a time (CMAKE_UNITY_BUILD, in
# the sanitizer builds: headers are most of what a compiler reads, and this makes such a build three times faster). For
# files whose local names stand in their neighbours too.
function(compiled_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
