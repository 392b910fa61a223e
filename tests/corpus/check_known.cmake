# A folder of corpus/known is whole and its reproducer exits with 1: the bug is there.
foreach(file case.irate finding.json NOTE.md reproducer.py)
  if(NOT EXISTS "${FOLDER}/${file}")
    message(FATAL_ERROR "${FOLDER} has no ${file}")
  endif()
endforeach()
execute_process(COMMAND "${PYTHON}" -B "${FOLDER}/reproducer.py"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 1)
  message(FATAL_ERROR "exit code ${result}, not 1: fixed in this compiler, or broken:\n${output}")
endif()
