# Writes OUTPUT, a C++ file that returns the contents of FILES, one after the other.
set(text "#include \"bench/faults/fault_text.h\"\n\nnamespace irate {\n\nconst std::string& BuiltinFaultText() {\n  static const auto& text = *new std::string(\n")
foreach(file ${FILES})
  file(READ "${file}" content)
  string(APPEND text "      R\"IRATE(${content})IRATE\"\n")
endforeach()
string(APPEND text "      \"\");\n  return text;\n}\n\n}  // namespace irate\n")
file(WRITE "${OUTPUT}" "${text}")
