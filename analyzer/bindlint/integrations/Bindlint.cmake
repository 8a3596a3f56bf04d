# Checks shaders as a part of the build, again only where they or their headers change.
#
#   execute_process(COMMAND bindlint integration cmake --path
#                   OUTPUT_VARIABLE bindlint_module OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
#   include(${bindlint_module})
#
#   bindlint_check(TARGET <name>            # a target that then depends on the check; made, as part of `all`, if new
#                  [SHADERS <file>...]      # checked one by one
#                  [MANIFEST <source>]      # and what a manifest, a .vcxproj or a ShaderMake .cfg names
#                  [ARGUMENTS <option>...]  # compiler options: -T ps_6_6 -E main -I include
#                  [OPTIONS <option>...]    # options of bindlint check: --tier 2 --fail-on warning
#                  [FORMAT <format>])       # concise, or msvc for Visual Studio generators
#
# Shaders are compiled as ARGUMENTS and the source file property BINDLINT_ARGUMENTS say; without them as the properties
# VS_SHADER_TYPE, VS_SHADER_MODEL, VS_SHADER_ENTRYPOINT and VS_SHADER_FLAGS do. A target may have several checks.

cmake_minimum_required(VERSION 3.20)

find_program(BINDLINT_EXECUTABLE bindlint DOC "The command bindlint")

function(_bindlint_arguments shader result)
  get_source_file_property(arguments ${shader} BINDLINT_ARGUMENTS)
  if(arguments)
    set(${result} ${arguments} PARENT_SCOPE)
    return()
  endif()
  set(arguments "")
  get_source_file_property(type ${shader} VS_SHADER_TYPE)
  get_source_file_property(model ${shader} VS_SHADER_MODEL)
  get_source_file_property(entry ${shader} VS_SHADER_ENTRYPOINT)
  get_source_file_property(flags ${shader} VS_SHADER_FLAGS)
  if(type AND model)
    set(types Pixel Vertex Geometry Hull Domain Compute Library Mesh Amplification)
    set(stages ps vs gs hs ds cs lib ms as)
    list(FIND types "${type}" index)
    if(index EQUAL -1)
      message(FATAL_ERROR "bindlint_check: ${shader} has the unknown VS_SHADER_TYPE ${type}")
    endif()
    list(GET stages ${index} stage)
    string(REPLACE "." "_" model "${model}")
    list(APPEND arguments -T ${stage}_${model})
  endif()
  if(entry)
    list(APPEND arguments -E ${entry})
  endif()
  if(flags)
    separate_arguments(flags NATIVE_COMMAND "${flags}")
    list(APPEND arguments ${flags})
  endif()
  set(${result} ${arguments} PARENT_SCOPE)
endfunction()

function(bindlint_check)
  cmake_policy(SET CMP0116 NEW)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;MANIFEST;FORMAT" "SHADERS;ARGUMENTS;OPTIONS")
  if(NOT arg_TARGET)
    message(FATAL_ERROR "bindlint_check: TARGET is missing")
  endif()
  if(NOT arg_SHADERS AND NOT arg_MANIFEST)
    message(FATAL_ERROR "bindlint_check: SHADERS or MANIFEST is missing")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "bindlint_check: ${arg_UNPARSED_ARGUMENTS} is no argument")
  endif()
  if(NOT BINDLINT_EXECUTABLE)
    message(FATAL_ERROR "bindlint_check: the command bindlint is not found; set BINDLINT_EXECUTABLE")
  endif()
  if(NOT arg_FORMAT)
    set(arg_FORMAT concise)
    if(CMAKE_GENERATOR MATCHES "Visual Studio")
      set(arg_FORMAT msvc)
    endif()
  endif()

  get_property(number GLOBAL PROPERTY BINDLINT_CHECKS)
  math(EXPR number "0${number} + 1")
  set_property(GLOBAL PROPERTY BINDLINT_CHECKS ${number})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/bindlint/${number})
  file(MAKE_DIRECTORY ${folder})

  set(stamps "")
  foreach(source IN LISTS arg_SHADERS arg_MANIFEST)
    get_filename_component(name ${source} NAME)
    get_filename_component(path ${source} ABSOLUTE)
    list(LENGTH stamps index)
    set(stamp ${folder}/${index}-${name}.checked)
    if(source STREQUAL arg_MANIFEST)
      set(subject --manifest ${path})
    else()
      _bindlint_arguments(${source} arguments)
      set(subject ${arguments} ${path})
    endif()
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${BINDLINT_EXECUTABLE} check --format ${arg_FORMAT} --depfile ${stamp}.d ${arg_OPTIONS}
              ${arg_ARGUMENTS} ${subject}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${path}
      DEPFILE ${stamp}.d
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      COMMENT "Checking bindings of ${source}"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()

  if(TARGET ${arg_TARGET})
    add_custom_target(${arg_TARGET}_bindlint_${number} DEPENDS ${stamps})
    add_dependencies(${arg_TARGET} ${arg_TARGET}_bindlint_${number})
  else()
    add_custom_target(${arg_TARGET} ALL DEPENDS ${stamps})
  endif()
endfunction()
