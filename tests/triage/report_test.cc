// Reports: every format is valid and no text of a program gets out of its place.
#include "triage/report_formats.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "triage/escape.h"
#include "triage/line_diff.h"

namespace irate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kHostile[] = "</pre><script>alert(1)</script>\"'&\xff\x01```";

ReportBucket MakeBucket(const std::string& signature, BucketState state) {
  ReportBucket bucket;
  bucket.record.finding.set_signature(signature);
  bucket.record.finding.set_oracle("pass-mismatch");
  bucket.record.finding.set_target("tvm");
  bucket.record.finding.set_culprit("tirx.transform.A");
  bucket.record.finding.set_summary(kHostile);
  bucket.record.finding.set_detail(kHostile);
  bucket.record.count = 3;
  bucket.record.life.state = state;
  bucket.record.life.verdicts["0.27.0"] = {.fails = true, .time = "now"};
  bucket.record.blame.emplace();
  bucket.record.blame->passes = {"tirx.transform.A"};
  for (std::string* text : {&bucket.case_text, &bucket.reproducer, &bucket.log, &bucket.note,
                            &bucket.before, &bucket.stack}) {
    *text = kHostile;
  }
  bucket.after = "other\n";
  bucket.tensors = R"([{"name":"<b>","columns":2,"expected":["1","2"],"actual":["1","<i>"],
                        "wrong":[false,true]}])";
  return bucket;
}

Report MakeReport() {
  return {.title = "<T>",
          .generated = "now",
          .buckets = {MakeBucket("a", BucketState::kNew), MakeBucket("b", BucketState::kMuted),
                      MakeBucket("c", BucketState::kFixed), MakeBucket("d", BucketState::kKnown),
                      MakeBucket("e", BucketState::kRegressed)}};
}

size_t CountOf(const std::string& text, std::string_view piece) {
  size_t count = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ReportTest, TheHtmlHasARowPerBugAndNoTextOfAProgramGetsOut) {
  const std::string html = ReportHtml(MakeReport());
  EXPECT_EQ(CountOf(html, "<details class=\"bug\""), 5U);
  EXPECT_EQ(CountOf(html, "<script>"), 1U) << "its own";
  EXPECT_THAT(html, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(html, Not(HasSubstr("<b>\"")));
  EXPECT_THAT(html, HasSubstr("&lt;/pre&gt;"));
  EXPECT_THAT(html, HasSubstr("<td class=\"wrong\">&lt;i&gt;</td>"));
  for (const char* remote : {"http://", "https://", " src=", "<link"}) {
    EXPECT_THAT(html, Not(HasSubstr(remote))) << "nothing is fetched";
  }
}

TEST(ReportTest, DamagedTensorsAreLeftOut) {
  Report report = MakeReport();
  for (const char* text :
       {"{", "[1]", R"([{"expected":1,"actual":2,"columns":0,"wrong":3}])", "[]"}) {
    report.buckets[0].tensors = text;
    EXPECT_THAT(ReportHtml(report), HasSubstr("</html>"));
  }
}

TEST(ReportTest, AnEmptyFolderIsAPageThatSaysSo) {
  EXPECT_THAT(ReportHtml({}), HasSubstr("No findings."));
  EXPECT_THAT(ReportMarkdown({}), HasSubstr("0 bugs"));
}

TEST(ReportTest, SarifNamesOpenBugsAndSuppressesTheOthers) {
  const nlohmann::json sarif = nlohmann::json::parse(ReportSarif(MakeReport()));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const nlohmann::json& results = sarif["runs"][0]["results"];
  ASSERT_EQ(results.size(), 5U);
  EXPECT_EQ(results[0]["ruleId"], "pass-mismatch");
  EXPECT_EQ(results[0]["partialFingerprints"]["irateSignature/v1"], "a");
  EXPECT_FALSE(results[0].contains("suppressions"));
  EXPECT_TRUE(results[1].contains("suppressions"));
  EXPECT_TRUE(results[2].contains("suppressions"));
  EXPECT_EQ(sarif["runs"][0]["tool"]["driver"]["rules"].size(), 1U);
}

TEST(ReportTest, JunitCountsOpenBugsAsFailures) {
  const std::string xml = ReportJunit(MakeReport());
  EXPECT_THAT(xml, HasSubstr("tests=\"5\" failures=\"2\" errors=\"0\" skipped=\"2\""));
  EXPECT_EQ(CountOf(xml, "<failure "), 2U);
  EXPECT_THAT(xml, Not(HasSubstr("<script>")));
  EXPECT_THAT(xml, Not(HasSubstr("\x01")));
}

TEST(ReportTest, MarkdownIsAnIssueTextWithAFenceThatHolds) {
  const std::string text = ReportMarkdown(MakeReport());
  for (const char* heading : {"### Expected behavior", "### Actual behavior", "### Environment",
                              "### Steps to reproduce", "### Triage"}) {
    EXPECT_EQ(CountOf(text, heading), 5U) << heading;
  }
  EXPECT_THAT(text, HasSubstr("````python\n"));
}

TEST(EscapeTest, WhatIsNotUtf8OrNotXmlBecomesAReplacement) {
  EXPECT_EQ(EscapeMarkup("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(EscapeMarkup("\xff\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(EscapeMarkup("\xed\xa0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD") << "a surrogate";
  EXPECT_EQ(EscapeMarkup(std::string_view("\0\n\t", 3)), "\xEF\xBF\xBD\n\t");
  EXPECT_EQ(EscapeMarkup("\xE2\x86\x92 \xF0\x9F\x98\x80"), "\xE2\x86\x92 \xF0\x9F\x98\x80");
  EXPECT_EQ(EscapeMarkup("\xE2\x86"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "cut short";
}

TEST(LineDiffTest, IsAShortestScript) {
  EXPECT_THAT(
      DiffLines("a\nb\nc\n", "a\nx\nc\n"),
      ElementsAre(DiffLine{' ', "a"}, DiffLine{'-', "b"}, DiffLine{'+', "x"}, DiffLine{' ', "c"}));
  EXPECT_THAT(DiffLines("", "a"), ElementsAre(DiffLine{'+', "a"}));
  EXPECT_THAT(DiffLines("a\n", ""), ElementsAre(DiffLine{'-', "a"}));
  EXPECT_TRUE(DiffLines("", "").empty());
}

}  // namespace
}  // namespace irate
