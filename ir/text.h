// The text form of modules and Cases: what `irate show` prints, what people write in tests, what
// corpus files and fault rules hold. Grammar and examples: docs/ir.md.
//
// Printing is canonical and parsing it back gives the same message, byte for byte, for every
// message that Verify accepts.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

std::string PrintModule(const Module& module);
std::string PrintFunction(const Function& function);
// `function` resolves the names of variables and buffers.
std::string PrintExpr(const Function& function, const Expr& expr);
std::string PrintStmt(const Function& function, const Stmt& stmt, int indent = 0);
std::string PrintCase(const Case& test_case);

// Errors are InvalidArgument and start with "line L, column C: ". Names are resolved; the result is
// not verified and may be ill typed.
absl::StatusOr<Module> ParseModule(std::string_view text);
absl::StatusOr<Case> ParseCase(std::string_view text);

// Reads a Case from a file of at most 64 MiB: the text form (.irate), protobuf text (.textproto) or
// the binary message (anything else). The Case is verified. Errors name the file and say what is
// wrong with it.
absl::StatusOr<Case> ReadCaseFile(const std::string& path);
// Writes atomically (ir/file.h) in the form that the suffix of `path` asks for. The Case must be
// one that ReadCaseFile would accept; InvalidArgument says why it is not, and nothing is written.
absl::Status WriteCaseFile(const std::string& path, const Case& test_case);

}  // namespace irate
