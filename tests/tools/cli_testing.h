// The command line as a user calls it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ir/file.h"
#include "nlohmann/json.hpp"
#include "tests/triage/temporary_folder.h"
#include "triage/run_command.h"

namespace irate::testing {

class CliTest : public ::testing::Test {
 protected:
  // `irate ARGUMENTS...` in an empty folder.
  CommandResult Irate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), IRATE_PATH);
    const absl::StatusOr<CommandResult> result =
        RunCommand(arguments, folder_.path(), std::chrono::seconds(200));
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(CommandResult());
  }

  nlohmann::json Json(const std::string& name) {
    const absl::StatusOr<std::string> text = ReadFile(folder_ / name, size_t{1} << 24);
    EXPECT_TRUE(text.ok()) << text.status();
    return nlohmann::json::parse(text.value_or("null"));
  }

  // The first Case of a seed, in a file.
  std::string CaseFile(int seed = 1) {
    EXPECT_EQ(Irate({"generate", "--family", "transpose", "--seed", std::to_string(seed), "--out",
                     "cases"})
                  .exit_code,
              0);
    return "cases/case-000000.irate";
  }

  TemporaryFolder folder_;
};

}  // namespace irate::testing
