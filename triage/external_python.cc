#include "triage/external_python.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ir/external.h"

namespace irate {
namespace {

std::string Result(Op op) {
  switch (op) {
    case ADD:
      return "a + b";
    case SUB:
      return "a - b";
    case MUL:
      return "a * b";
    case MIN:
      return "np.minimum(a, b)";
    default:
      return "np.maximum(a, b)";
  }
}

}  // namespace

std::string ExternalFunctionsInPython(std::string_view script) {
  std::string text;
  for (const ExternalFunction& function : ExternalFunctions()) {
    if (script.find(fmt::format("\"{}\"", function.name)) == std::string_view::npos) continue;
    if (text.empty()) {
      // What is passed is borrowed memory, which has no owner that numpy could share it with.
      text =
          "def memory(tensors):\n"
          "    return [np.ndarray(t.shape, str(t.dtype),\n"
          "                       (ctypes.c_char * (8 * t.numel())).from_address(t.data_ptr()))\n"
          "            for t in tensors]\n";
    }
    std::vector<std::string> results;
    for (const Op op : function.outputs) results.push_back(Result(op));
    text += fmt::format(
        "\n@tvm.register_global_func(\"{0}\")\n"
        "def {1}(*tensors):\n"
        "    a, {2}*outputs = memory(tensors)\n{3}"
        "    for output, result in zip(outputs, [{4}], strict=True):\n"
        "        output[:] = result\n",
        function.name, function.name.substr(function.name.rfind('.') + 1),
        function.inputs > 1 ? "b, " : "", function.inputs > 1 ? "" : "    b = a\n",
        fmt::join(results, ", "));
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace irate
