// Small programs in LLVM IR, shaped as TVM emits them, and arguments for them.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "execution/contract/host_buffers.h"
#include "execution/sanitized/sanitized_module.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate::sanitized {

// A packed entry that passes the data pointers of `tensors` arguments to @main_compute_, as TVM's
// wrapper does after its checks. The byte offset is added where `with_offset`.
inline std::string Entry(int tensors, bool with_offset = false) {
  std::string text =
      "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"
      "n8:16:32:64-S128\"\n"
      "target triple = \"x86_64-unknown-linux-gnu\"\n"
      "%any = type { i32, i32, ptr }\n"
      "@__TVMBackendAllocWorkspace = linkonce global ptr null, align 8\n"
      "@__TVMBackendFreeWorkspace = linkonce global ptr null, align 8\n"
      "@__TVMBackendParallelLaunch = linkonce global ptr null, align 8\n"
      "@__TVMBackendParallelBarrier = linkonce global ptr null, align 8\n"
      "@__TVMFFIFunctionCall = linkonce global ptr null, align 8\n"
      "@__TVMFFIHandleInitOnce = linkonce global ptr null, align 8\n"
      "@__TVMFFIEnvModLookupFromImports = linkonce global ptr null, align 8\n"
      "@__tvm_ffi__library_ctx = linkonce global ptr null, align 8\n"
      "declare void @llvm.assume(i1)\n"
      "define i32 @__tvm_ffi_main(ptr %self, ptr %args, i32 %num_args, ptr %result) {\n"
      "entry:\n";
  std::string passed;
  for (int i = 0; i < tensors; ++i) {
    text += fmt::format(
        "  %slot{0} = getelementptr inbounds %any, ptr %args, i32 {0}, i32 2\n"
        "  %tensor{0} = load ptr, ptr %slot{0}, align 8\n"
        "  %data{0} = load ptr, ptr %tensor{0}, align 8\n",
        i);
    if (with_offset) {
      text += fmt::format(
          "  %where{0} = getelementptr inbounds i8, ptr %tensor{0}, i64 40\n"
          "  %offset{0} = load i64, ptr %where{0}, align 8\n"
          "  %first{0} = getelementptr inbounds i8, ptr %data{0}, i64 %offset{0}\n",
          i);
    }
    passed += fmt::format("{}ptr %{}{}", i == 0 ? "" : ", ", with_offset ? "first" : "data", i);
  }
  text += fmt::format("  %done = call i32 @main_compute_({})\n  ret i32 %done\n}}\n", passed);
  return text;
}

inline contract::Argument Floats(std::string name, std::vector<int64_t> shape) {
  contract::TensorArgument tensor;
  tensor.name = std::move(name);
  tensor.type = {contract::kFloatCode, 32, 1};
  tensor.shape = std::move(shape);
  int64_t count = 1;
  for (int64_t extent : tensor.shape) count *= extent;
  std::vector<float> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  tensor.contents.assign(reinterpret_cast<const char*>(values.data()), values.size() * 4);
  contract::Argument argument;
  argument.tensor = std::move(tensor);
  return argument;
}

inline contract::Argument Ints(std::string name, const std::vector<int32_t>& values) {
  contract::TensorArgument tensor;
  tensor.name = std::move(name);
  tensor.type = {contract::kIntCode, 32, 1};
  tensor.shape = {static_cast<int64_t>(values.size())};
  tensor.contents.assign(reinterpret_cast<const char*>(values.data()), values.size() * 4);
  contract::Argument argument;
  argument.tensor = std::move(tensor);
  return argument;
}

// The same tensor before anybody wrote it.
inline contract::Argument Unwritten(contract::Argument argument) {
  argument.tensor->contents.clear();
  return argument;
}

template <typename T>
std::vector<T> Values(const std::string& contents) {
  std::vector<T> values(contents.size() / sizeof(T));
  std::memcpy(values.data(), contents.data(), contents.size());
  return values;
}

inline RunResult CompileAndRun(const std::string& ir, const std::vector<contract::Argument>& args,
                               const RunOptions& options = {},
                               const CompileOptions& compile = CompileOptions::Strict()) {
  auto module = SanitizedModule::Compile(ir, compile);
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  auto result = (*module)->Run("__tvm_ffi_main", args, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : RunResult{};
}

// One line per report, for messages of failed expectations.
inline std::string Describe(const RunResult& result) {
  std::string text =
      fmt::format("returned {}, {}\n", result.returned, result.completed ? "completed" : "ended");
  for (const Report& report : result.reports) {
    text += fmt::format("[{}] {}\n", ReportKindName(report.kind), report.text);
  }
  return text;
}

inline std::vector<ReportKind> Kinds(const RunResult& result) {
  std::vector<ReportKind> kinds;
  for (const Report& report : result.reports) kinds.push_back(report.kind);
  return kinds;
}

}  // namespace irate::sanitized
