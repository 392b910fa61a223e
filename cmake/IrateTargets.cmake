# Helpers so that a room's CMakeLists.txt names its sources and dependencies and nothing else.

add_library(irate_options INTERFACE)
target_compile_options(irate_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -fno-omit-frame-pointer)
target_include_directories(irate_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_include_directories(irate_options SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/gen")
target_link_options(irate_options INTERFACE -fuse-ld=lld-22)
if(IRATE_SANITIZE)
  target_compile_options(irate_options INTERFACE
    -fsanitize=${IRATE_SANITIZE} -fno-sanitize-recover=all -g1)
  target_link_options(irate_options INTERFACE -fsanitize=${IRATE_SANITIZE})
endif()

# The protobuf and standard headers that nearly every file includes, compiled once: two thirds of the
# time that a typical source file takes without it. irate_make_pch(NAME header [option ...])
function(irate_make_pch name header)
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cc")
  target_link_libraries(${name} PUBLIC irate_options irate_ir_proto absl::status absl::statusor)
  target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/${header}")
  irate_pch_options(${name} ${ARGN})
endfunction()

# A header and its users must agree on these. Executables are as position-independent as libraries.
function(irate_pch_options target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC "SHELL:-Xclang -fno-pch-timestamp" ${ARGN})
endfunction()

function(irate_use_pch target pch)
  if(IRATE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${pch})
    irate_pch_options(${target} ${ARGN})
  endif()
endfunction()

# irate_library(NAME SRCS a.cc ... DEPS ir ... [PRIVATE_DEPS ...] [NO_PCH | PCH name [option ...]])
# NO_PCH: for a target whose compile options differ from everyone else's. PCH: a header of its own.
function(irate_library name)
  cmake_parse_arguments(arg "NO_PCH" "" "SRCS;DEPS;PRIVATE_DEPS;PCH" ${ARGN})
  add_library(irate_${name} STATIC ${arg_SRCS})
  target_link_libraries(irate_${name} PUBLIC irate_options ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
  if(arg_PCH)
    irate_use_pch(irate_${name} ${arg_PCH})
  elseif(NOT arg_NO_PCH)
    irate_use_pch(irate_${name} irate_pch)
  endif()
endfunction()

# irate_proto_library(NAME PROTOS ir/irate.proto ... DEPS ...): C++ into build/<preset>/gen
function(irate_proto_library name)
  cmake_parse_arguments(arg "" "" "PROTOS;DEPS" ${ARGN})
  set(gen "${PROJECT_BINARY_DIR}/gen")
  file(MAKE_DIRECTORY "${gen}")
  set(sources)
  foreach(proto ${arg_PROTOS})
    string(REGEX REPLACE "\\.proto$" "" base "${proto}")
    add_custom_command(
      OUTPUT "${gen}/${base}.pb.cc" "${gen}/${base}.pb.h"
      COMMAND protobuf::protoc "--proto_path=${PROJECT_SOURCE_DIR}" "--cpp_out=${gen}"
              "${PROJECT_SOURCE_DIR}/${proto}"
      DEPENDS "${PROJECT_SOURCE_DIR}/${proto}"
      COMMENT "protoc ${proto}")
    list(APPEND sources "${gen}/${base}.pb.cc" "${gen}/${base}.pb.h")
  endforeach()
  add_library(irate_${name} STATIC ${sources})
  target_include_directories(irate_${name} SYSTEM PUBLIC "${gen}")
  target_link_libraries(irate_${name} PUBLIC protobuf::libprotobuf ${arg_DEPS})
  target_compile_options(irate_${name} PRIVATE -w)
  if(IRATE_SANITIZE)
    target_compile_options(irate_${name} PRIVATE -fsanitize=${IRATE_SANITIZE})
  endif()
endfunction()

# irate_executable(NAME SRCS main.cc DEPS ... [PCH name [option ...]])
function(irate_executable name)
  cmake_parse_arguments(arg "" "" "SRCS;DEPS;PCH" ${ARGN})
  add_executable(${name} ${arg_SRCS})
  target_link_libraries(${name} PRIVATE irate_options ${arg_DEPS})
  if(NOT arg_PCH)
    set(arg_PCH irate_pch)
  endif()
  irate_use_pch(${name} ${arg_PCH})
endfunction()

# irate_test(NAME SRCS a_test.cc DEPS ... [LABELS ...] [TIMEOUT seconds] [ENVIRONMENT ...]
#            [NO_PCH | PCH name [option ...]])
function(irate_test name)
  cmake_parse_arguments(arg "NO_PCH" "TIMEOUT" "SRCS;DEPS;LABELS;ENVIRONMENT;PCH" ${ARGN})
  add_executable(${name} ${arg_SRCS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE irate_options ${arg_DEPS} GTest::gtest_main GTest::gmock)
  if(arg_PCH)
    irate_use_pch(${name} ${arg_PCH})
  elseif(NOT arg_NO_PCH)
    # What is tested is optimised; the assertions around it need not be.
    irate_use_pch(${name} irate_test_pch -O0)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  if(arg_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
  endif()
  if(arg_ENVIRONMENT)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
  endif()
endfunction()
