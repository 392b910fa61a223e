// Cases on disk, in three forms.
#include "fmt/format.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/wire.h"

namespace irate {
namespace {

constexpr size_t kMaxFileBytes = size_t{64} << 20;

enum class Form { kText, kProtobufText, kBinary };

Form FormOf(std::string_view path) {
  if (path.ends_with(".irate")) return Form::kText;
  if (path.ends_with(".textproto")) return Form::kProtobufText;
  return Form::kBinary;
}

// Keeps the first error.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = fmt::format("line {}, column {}: {}", line + 1, column + 1, message);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

absl::StatusOr<Case> ParseProtobufText(const std::string& contents) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.SetRecursionLimit(kMaxDepth + 16);
  Case test_case;
  if (parser.ParseFromString(contents, &test_case)) return test_case;
  return absl::InvalidArgumentError(error.text());
}

absl::StatusOr<Case> ParseContents(Form form, const std::string& contents) {
  if (contents.empty()) return absl::InvalidArgumentError("the file is empty");
  switch (form) {
    case Form::kText:
      return ParseCase(contents);
    case Form::kProtobufText:
      return ParseProtobufText(contents);
    case Form::kBinary:
      break;
  }
  Case test_case;
  if (ParseMessage(contents, &test_case)) return test_case;
  return absl::InvalidArgumentError(
      fmt::format("its {} bytes are no serialised Case (the text form has the suffix .irate, "
                  "protobuf text .textproto)",
                  contents.size()));
}

absl::Status Annotate(const absl::Status& status, const std::string& path) {
  return {status.code(), fmt::format("{}: {}", path, std::string(status.message()))};
}

absl::StatusOr<std::string> Contents(Form form, const Case& test_case) {
  if (form == Form::kText) return PrintCase(test_case);
  if (form == Form::kBinary) return test_case.SerializeAsString();
  std::string contents;
  google::protobuf::TextFormat::PrintToString(test_case, &contents);
  // Protobuf text has one NaN only.
  const absl::StatusOr<Case> again = ParseProtobufText(contents);
  if (again.ok() && again->SerializeAsString() == test_case.SerializeAsString()) return contents;
  return absl::InvalidArgumentError(
      "protobuf text cannot hold this Case exactly; write it with the suffix .irate");
}

}  // namespace

absl::StatusOr<Case> ReadCaseFile(const std::string& path) {
  IRATE_ASSIGN_OR_RETURN(const std::string contents, ReadFile(path, kMaxFileBytes));
  absl::StatusOr<Case> test_case = ParseContents(FormOf(path), contents);
  if (!test_case.ok()) return Annotate(test_case.status(), path);
  if (absl::Status status = VerifyCase(*test_case); !status.ok()) return Annotate(status, path);
  return test_case;
}

absl::Status WriteCaseFile(const std::string& path, const Case& test_case) {
  if (absl::Status status = VerifyCase(test_case); !status.ok()) return Annotate(status, path);
  const absl::StatusOr<std::string> contents = Contents(FormOf(path), test_case);
  if (!contents.ok()) return Annotate(contents.status(), path);
  return WriteFileAtomically(path, *contents);
}

}  // namespace irate
