#include "triage/source_check.h"

#include "fmt/format.h"
#include "triage/python_text.h"

namespace irate {

std::string SourceCheckInPython(std::string_view actions, std::string_view message) {
  constexpr std::string_view kError = "error: ";
  const size_t error = message.find(kError);
  if (error != std::string_view::npos) message.remove_prefix(error + kError.size());
  return fmt::format(
      "{}"
      "source = lib.imports[0].inspect_source()\n"
      "print(source)\n"
      "clang = shutil.which(\"clang-22\") or shutil.which(\"clang\") or sys.exit(2)\n"
      "check = subprocess.run([clang, \"-x\", \"cl\", \"-target\", \"spir64\", \"-fsyntax-only\", "
      "\"-\"],\n"
      "                       input=source, text=True, capture_output=True)\n"
      "print(check.stderr)\n"
      "sys.exit(1 if {} in check.stderr else 2 if check.returncode else 0)\n",
      actions, PythonString(std::string(message)));
}

}  // namespace irate
