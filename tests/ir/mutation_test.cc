// Damaged Cases with fixed seeds: the verifier never crashes, what it accepts round-trips, and the
// text parser survives any text.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ir/canonical.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "ir/wire.h"
#include "tests/ir/samples.h"

namespace irate {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Random = std::mt19937_64;

struct Counts {
  int accepted = 0;
  int accepted_lifted = 0;
  int refused = 0;

  void Record() const {
    ::testing::Test::RecordProperty("accepted", accepted);
    ::testing::Test::RecordProperty("accepted_lifted", accepted_lifted);
    ::testing::Test::RecordProperty("refused", refused);
  }
};

void ExpectRoundTrip(const Case& test_case) {
  const std::string text = PrintCase(test_case);
  const absl::StatusOr<Case> parsed = ParseCase(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status() << "\n" << text;
  ASSERT_EQ(parsed->SerializeAsString(), test_case.SerializeAsString()) << text;
}

void ExpectCanonicalForm(const Module& module) {
  const Module canonical = Canonicalize(module);
  const absl::Status status = Verify(canonical, {.lifted = true});
  ASSERT_TRUE(status.ok()) << status << PrintModule(canonical);
  ASSERT_EQ(StructuralHash(canonical), StructuralHash(module));
  ASSERT_EQ(Canonicalize(canonical).SerializeAsString(), canonical.SerializeAsString());
}

// Everything that consumers do with bytes that they were given.
void Check(const Case& test_case, Counts* counts) {
  const absl::Status status = VerifyCase(test_case);
  if (status.ok()) {
    ++counts->accepted;
    ExpectRoundTrip(test_case);
  }
  if (!Verify(test_case.module(), {.lifted = true}).ok()) {
    ++counts->refused;
    // Messages about invalid programs are made by printing parts of them.
    PrintCase(test_case);
    return;
  }
  ++counts->accepted_lifted;
  Case lifted;
  lifted.set_version(1);
  *lifted.mutable_module() = test_case.module();
  ExpectRoundTrip(lifted);
  ExpectCanonicalForm(test_case.module());
}

TEST(Mutation, OfBytes) {
  Random random(1);
  Counts counts;
  const std::vector<samples::Sample> all = samples::All();
  for (int round = 0; round < 6'000 && !::testing::Test::HasFatalFailure(); ++round) {
    std::string bytes = all[random() % all.size()].test_case.SerializeAsString();
    const size_t flips = 1 + random() % 3;
    for (size_t i = 0; i < flips; ++i) {
      const size_t at = random() % bytes.size();
      switch (random() % 16) {
        default:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
          break;
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 8);
          break;
        case 2:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 16));
          break;
      }
      if (bytes.empty()) break;
    }
    Case parsed;
    if (ParseMessage(bytes, &parsed)) Check(parsed, &counts);
  }
  counts.Record();
  EXPECT_GT(counts.accepted, 150);
  EXPECT_GT(counts.accepted_lifted, counts.accepted);
  EXPECT_GT(counts.refused, 500);
}

// Every message below and with `root`.
std::vector<Message*> Messages(Message* root) {
  std::vector<Message*> found = {root};
  for (size_t next = 0; next < found.size(); ++next) {
    Message* message = found[next];
    const Reflection* reflection = message->GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection->ListFields(*message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      if (!field->is_repeated()) {
        found.push_back(reflection->MutableMessage(message, field));
        continue;
      }
      for (int i = 0; i < reflection->FieldSize(*message, field); ++i) {
        found.push_back(reflection->MutableRepeatedMessage(message, field, i));
      }
    }
  }
  return found;
}

int64_t InterestingInt(Random* random) {
  constexpr int64_t kInts[] = {0, 1, 2, 3, 4, 7, -1, 16, 127, 128, 255, INT32_MAX, INT64_MIN};
  return kInts[(*random)() % std::size(kInts)];
}

std::string InterestingString(Random* random) {
  const std::string kStrings[] = {"",          "x",  "A",        "i",          "for", "i32",
                                  "two words", "`",  "\"",       "\n",         "exp", "@callee",
                                  "tvm_tuple", "#1", "\xc3\xa4", "threadIdx.x"};
  return kStrings[(*random)() % std::size(kStrings)];
}

void SetScalar(Message* message, const FieldDescriptor* field, Random* random) {
  const Reflection* reflection = message->GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      reflection->SetInt64(message, field, InterestingInt(random));
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      reflection->SetUInt64(message, field, static_cast<uint64_t>(InterestingInt(random)));
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      reflection->SetUInt32(message, field, static_cast<uint32_t>((*random)() % 6));
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      reflection->SetDouble(message, field, static_cast<double>(InterestingInt(random)) / 3);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      reflection->SetBool(message, field, (*random)() % 2 == 0);
      break;
    case FieldDescriptor::CPPTYPE_ENUM: {
      const auto* type = field->enum_type();
      const int pick = static_cast<int>((*random)() % static_cast<uint64_t>(type->value_count()));
      reflection->SetEnumValue(message, field, type->value(pick)->number());
      break;
    }
    case FieldDescriptor::CPPTYPE_STRING:
      reflection->SetString(message, field, InterestingString(random));
      break;
    default:
      break;
  }
}

void Mutate(Case* test_case, Random* random) {
  const std::vector<Message*> messages = Messages(test_case);
  Message* message = messages[(*random)() % messages.size()];
  const Reflection* reflection = message->GetReflection();
  const auto* type = message->GetDescriptor();
  const FieldDescriptor* field =
      type->field(static_cast<int>((*random)() % static_cast<uint64_t>(type->field_count())));
  const int size = field->is_repeated() ? reflection->FieldSize(*message, field) : 0;
  switch ((*random)() % 5) {
    case 0:
      reflection->ClearField(message, field);
      break;
    case 1:
      if (size > 0) reflection->RemoveLast(message, field);
      break;
    case 2:
      if (size > 1) reflection->SwapElements(message, field, 0, size - 1);
      break;
    case 3: {
      // Another message of the same type takes its place.
      const Message* other = messages[(*random)() % messages.size()];
      if (other->GetDescriptor() != type) break;
      const std::unique_ptr<Message> copy(other->New());
      copy->CopyFrom(*other);
      message->CopyFrom(*copy);
      break;
    }
    default:
      if (!field->is_repeated()) SetScalar(message, field, random);
      break;
  }
}

TEST(Mutation, OfFields) {
  Random random(2);
  Counts counts;
  const std::vector<samples::Sample> all = samples::All();
  for (int round = 0; round < 6'000 && !::testing::Test::HasFatalFailure(); ++round) {
    Case test_case = all[random() % all.size()].test_case;
    const size_t mutations = 1 + random() % 3;
    for (size_t i = 0; i < mutations; ++i) Mutate(&test_case, &random);
    Check(test_case, &counts);
  }
  counts.Record();
  EXPECT_GT(counts.accepted, 1000);
  EXPECT_GT(counts.accepted_lifted, counts.accepted);
  EXPECT_GT(counts.refused, 1000);
}

TEST(Garbage, NoTextCrashesTheParser) {
  Random random(3);
  int parsed = 0;
  const std::vector<samples::Sample> all = samples::All();
  constexpr std::string_view kWords[] = {
      "{",     "}",     "(",     ")",    "[",  "]",    "let",  "in",         "..",
      "+:",    "3:i64", "\"",    "`",    "#",  "@",    "func", "var x: i32", "-",
      "block", "iter",  "<f32>", "nan(", "\\", "\xff", "\0"};
  for (int round = 0; round < 6'000; ++round) {
    std::string text = PrintCase(all[random() % all.size()].test_case);
    const size_t edits = 1 + random() % 2;
    for (size_t i = 0; i < edits; ++i) {
      const size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
        case 0:
          text.erase(at, random() % 8);
          break;
        case 1:
          text.insert(at, kWords[random() % std::size(kWords)]);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        default:
          text.resize(at);
          break;
      }
      if (text.empty()) text = " ";
    }
    const absl::StatusOr<Case> result = ParseCase(text);
    if (!result.ok()) {
      EXPECT_TRUE(std::string(result.status().message()).starts_with("line ")) << text;
      continue;
    }
    ++parsed;
    // Ill typed or not, it can be printed; if it is valid it is the same again.
    PrintCase(*result);
    if (VerifyCase(*result).ok()) ExpectRoundTrip(*result);
  }
  ::testing::Test::RecordProperty("parsed", parsed);
  EXPECT_GT(parsed, 300);
}

TEST(Garbage, RandomBytes) {
  Random random(4);
  for (int round = 0; round < 3'000; ++round) {
    std::string text = "irate 1\nfunc @f() {\n";
    const size_t length = random() % 200;
    for (size_t i = 0; i < length; ++i)
      text += static_cast<char>(random() % (round % 2 ? 128 : 256));
    const absl::StatusOr<Case> result = ParseCase(text);
    if (result.ok()) PrintCase(*result);
    Case parsed;
    if (ParseMessage(text.substr(20), &parsed)) EXPECT_FALSE(VerifyCase(parsed).ok());
  }
}

}  // namespace
}  // namespace irate
