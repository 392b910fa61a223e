// The pass map against the wheel: nothing is forgotten, nothing is there that the wheel has not.
#include "targets/tvm/pass_map.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "targets/tvm/native.h"
#include "targets/tvm/pipeline.h"
#include "targets/tvm/tvm_library.h"

namespace irate::tvm_target {
namespace {

using ::testing::IsEmpty;

const PassMap& Map() {
  const absl::StatusOr<PassMap>& map = TvmPassMap();
  EXPECT_TRUE(map.ok()) << map.status();
  return *map;
}

class PassMapTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(LoadLibrary().ok()) << LoadLibrary(); }
};

std::set<std::string> WheelPasses() {
  std::set<std::string> passes;
  const Any list = Native<"ffi.FunctionListGlobalNamesFunctor">();
  const ffi::Function names = list.cast<ffi::Function>();
  const int count = names(-1).cast<int>();
  for (int i = 0; i < count; ++i) {
    const std::string name = ToString(names(i));
    if (name.starts_with("tirx.transform.") || name.starts_with("s_tir.transform.")) {
      passes.insert(name);
    }
  }
  return passes;
}

// The fields of an option that is an object, dotted; the option itself otherwise.
std::set<std::string> WheelOptions() {
  std::set<std::string> options;
  for (const auto& [key, facts] : Native<"transform.ListConfigs">().cast<ffi::Map<Any, Any>>()) {
    const std::string name = ToString(key);
    if (name.starts_with("relax.")) continue;
    const std::string type = ToString(facts.cast<AnyMap>().at("type"));
    TVMFFIByteArray type_key = {type.data(), type.size()};
    int32_t index = -1;
    const bool is_object = type.find(".transform.") != std::string::npos &&
                           TVMFFITypeKeyToIndex(&type_key, &index) == 0;
    if (!is_object) {
      options.insert(name);
      continue;
    }
    const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
    for (int32_t i = 0; i < info->num_fields; ++i) {
      options.insert(name + "." +
                     std::string(info->fields[i].name.data, info->fields[i].name.size));
    }
  }
  return options;
}

TEST_F(PassMapTest, HasEveryPassOfTheWheel) {
  std::set<std::string> listed;
  for (const PassRule& pass : Map().passes()) listed.insert(pass.name);
  for (const LeftOut& left : Map().left_out()) listed.insert(left.name);
  const std::set<std::string> wheel = WheelPasses();
  EXPECT_GT(wheel.size(), 70u);
  for (const std::string& name : wheel) {
    EXPECT_TRUE(listed.contains(name)) << name << " is not in targets/tvm/pass_map.json";
  }
  for (const std::string& name : listed) {
    EXPECT_TRUE(wheel.contains(name)) << "TVM has no pass " << name;
  }
}

TEST_F(PassMapTest, HasEveryOptionOfTheWheel) {
  std::set<std::string> listed;
  for (const OptionRule& option : Map().options()) listed.insert(option.name);
  for (const LeftOut& left : Map().options_left_out()) listed.insert(left.name);
  const std::set<std::string> wheel = WheelOptions();
  EXPECT_TRUE(wheel.contains("tirx.UnrollLoop.auto_max_step"));
  for (const std::string& name : wheel) {
    EXPECT_TRUE(listed.contains(name)) << name << " is not in targets/tvm/pass_map.json";
  }
  for (const std::string& name : listed) {
    EXPECT_TRUE(wheel.contains(name)) << "TVM has no option " << name;
  }
}

TEST_F(PassMapTest, ThePassesTakeTheListedArguments) {
  const Any target = Native<"target.Target">(ffi::String("llvm"));
  const Any host = Native<"target.WithHost">(target, target);
  for (const PassRule& rule : Map().passes()) {
    for (const std::vector<Expr>& args : rule.args) {
      PassStep step;
      step.set_name(rule.name);
      for (const Expr& arg : args) *step.add_args() = arg;
      EXPECT_TRUE(MakePass(step, host).ok()) << MakePass(step, host).status();
    }
  }
}

TEST_F(PassMapTest, TheOptionsTakeTheListedValues) {
  for (const OptionRule& rule : Map().options()) {
    for (const Expr& value : rule.values) {
      Config config;
      Attribute* option = config.Add();
      option->set_key(rule.name);
      *option->mutable_value() = value;
      EXPECT_NO_THROW({ const PassContext context(config); }) << rule.name;
    }
  }
}

TEST_F(PassMapTest, EveryWildPassAndOptionSaysWhy) {
  std::set<std::string> silent;
  for (const PassRule& pass : Map().passes()) {
    if (pass.wild && pass.note.empty()) silent.insert(pass.name);
  }
  EXPECT_THAT(silent, IsEmpty());
}

}  // namespace
}  // namespace irate::tvm_target
