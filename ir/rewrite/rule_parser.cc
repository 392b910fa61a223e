// The grammar of fault rules: docs/faults.md.
#include <limits>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "ir/rewrite/rule.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"

namespace irate::rewrite {
namespace {

using text::Token;

class RuleParser : public text::Parser {
 public:
  explicit RuleParser(std::vector<Token> tokens) : Parser(std::move(tokens)) {}

  absl::StatusOr<std::vector<Rule>> Run() {
    std::vector<Rule> rules;
    std::set<std::string> names;
    while (Peek().kind != Token::Kind::kEnd) {
      const Token place = Peek(1);
      Rule rule;
      IRATE_RETURN_IF_ERROR(ParseRule(&rule));
      if (!names.insert(rule.name).second) {
        return Error(place, fmt::format("a second fault \"{}\"", rule.name));
      }
      rules.push_back(std::move(rule));
    }
    return rules;
  }

 private:
  absl::Status ParseRule(Rule* rule) {
    rule->line = Peek().line;
    IRATE_RETURN_IF_ERROR(ExpectWord("fault"));
    const Token place = Peek();
    if (place.kind != Token::Kind::kString) return Expected("the fault's name in quotes");
    rule->name = Next().text;
    if (rule->name.empty()) return Error(place, "the fault's name is empty");
    IRATE_RETURN_IF_ERROR(Expect("{"));
    while (!TakePunctuation("}")) IRATE_RETURN_IF_ERROR(ParseClause(rule));
    return Check(*rule, place);
  }

  absl::Status ParseClause(Rule* rule) {
    if (TakePunctuation(",")) return absl::OkStatus();
    if (TakeWord("pass") || TakeWord("passes")) return ParsePasses(rule);
    if (TakeWord("rewrite")) return ParseRewrite(rule, /*replaces=*/true);
    if (TakeWord("match")) return ParseRewrite(rule, /*replaces=*/false);
    if (TakeWord("where") || TakeWord("and")) {
      IRATE_ASSIGN_OR_RETURN(Condition condition, ParseCondition(rule));
      rule->conditions.push_back(std::move(condition));
      return absl::OkStatus();
    }
    if (TakeWord("at")) return ParseSite(rule);
    if (TakeWord("new")) return ParseNewBuffer(rule);
    if (TakeWord("do")) return ParseAction(rule);
    if (TakeWord("expect")) return ParseExpectation(rule);
    if (TakeWord("describe")) {
      IRATE_ASSIGN_OR_RETURN(rule->description, ParseString("a description"));
      return absl::OkStatus();
    }
    if (TakeWord("null")) {
      rule->is_null = true;
      return absl::OkStatus();
    }
    if (TakeWord("invalid")) {
      rule->may_be_invalid = true;
      return absl::OkStatus();
    }
    return Expected(
        "\"pass\", \"rewrite\", \"match\", \"where\", \"at\", \"new\", \"do\", \"expect\", "
        "\"describe\", \"null\", \"invalid\" or \"}\"");
  }

  absl::Status ParsePasses(Rule* rule) {
    do {
      if (Peek().kind == Token::Kind::kString) {
        rule->passes.push_back(Next().text);
        continue;
      }
      std::string name;
      const auto is_part = [this] {
        return Peek().kind == Token::Kind::kWord || IsPunctuation("*");
      };
      if (!is_part()) return Expected("the name of a pass, \"lower\", \"codegen\" or *");
      // "Vector*" is two tokens; the next clause starts on a word of its own after white space, so
      // parts must touch.
      int end = 0;
      int line = Peek().line;
      do {
        end = Peek().column + static_cast<int>(Peek().text.size());
        name += Next().text;
        if (IsPunctuation(".") && Touches(line, end)) {
          ++end;
          name += Next().text;
        }
      } while (is_part() && Touches(line, end));
      rule->passes.push_back(std::move(name));
    } while (TakePunctuation(","));
    return absl::OkStatus();
  }

  bool Touches(int line, int column) const {
    return Peek().line == line && Peek().column == column;
  }

  absl::StatusOr<Pattern> ParsePatternOf(Rule* rule) {
    Pattern pattern;
    const Token place = Peek();
    pattern.is_stmts = IsPunctuation("{");
    IRATE_RETURN_IF_ERROR(ParsePattern(&rule->names, &pattern.expr, &pattern.stmts));
    if (!pattern.is_stmts && IsMetaList(pattern.expr)) {
      return Error(place, "a list of expressions stands in indices and arguments only");
    }
    return pattern;
  }

  absl::Status ParseRewrite(Rule* rule, bool replaces) {
    Alternative alternative;
    alternative.replaces = replaces;
    const Token place = Peek();
    IRATE_ASSIGN_OR_RETURN(alternative.pattern, ParsePatternOf(rule));
    const bool only_lists = [&] {
      for (const Stmt& stmt : alternative.pattern.stmts) {
        if (!IsMetaList(stmt)) return false;
      }
      return alternative.pattern.is_stmts;
    }();
    if (only_lists) return Error(place, "the pattern has no statement that it could match");
    if (replaces) {
      IRATE_RETURN_IF_ERROR(Expect("=>"));
      const Token second = Peek();
      IRATE_ASSIGN_OR_RETURN(alternative.replacement, ParsePatternOf(rule));
      if (alternative.replacement.is_stmts != alternative.pattern.is_stmts) {
        return Error(second, alternative.pattern.is_stmts
                                 ? "statements are replaced by statements: { ... }"
                                 : "an expression is replaced by an expression");
      }
    }
    rule->alternatives.push_back(std::move(alternative));
    return absl::OkStatus();
  }

  absl::Status ParseSite(Rule* rule) {
    if (TakeWord("first")) {
      rule->site = Rule::Site::kFirst;
    } else if (TakeWord("last")) {
      rule->site = Rule::Site::kLast;
    } else if (TakeWord("every") || TakeWord("all")) {
      rule->site = Rule::Site::kEvery;
    } else {
      const Token place = Peek();
      IRATE_ASSIGN_OR_RETURN(const uint64_t number,
                             ParseUnsigned("\"first\", \"last\", \"every\" or a number",
                                           std::numeric_limits<int>::max()));
      if (number == 0) return Error(place, "matches are counted from 1");
      rule->site = Rule::Site::kNumber;
      rule->number = static_cast<int>(number);
    }
    return absl::OkStatus();
  }

  absl::Status ParseNewBuffer(Rule* rule) {
    IRATE_RETURN_IF_ERROR(ExpectWord("buffer"));
    NewBuffer buffer;
    if (!IsMeta()) return Expected("$A, the new buffer");
    buffer.name = Next().text;
    IRATE_RETURN_IF_ERROR(ExpectWord("like"));
    if (!IsMeta()) return Expected("$B, the buffer whose declaration it takes");
    buffer.model = Next().text;
    rule->new_buffers.push_back(std::move(buffer));
    return absl::OkStatus();
  }

  absl::Status ParseAction(Rule* rule) {
    const auto message = [&] {
      if (Peek().kind == Token::Kind::kString) rule->message = Next().text;
    };
    if (TakeWord("rewrite")) {
      rule->action = Rule::Action::kRewrite;
    } else if (TakeWord("alternate")) {
      rule->action = Rule::Action::kAlternate;
    } else if (TakeWord("mutate")) {
      TakeWord("input");
      rule->action = Rule::Action::kMutateInput;
    } else if (TakeWord("skip")) {
      rule->action = Rule::Action::kSkip;
    } else if (TakeWord("throw")) {
      rule->action = Rule::Action::kThrow;
      message();
    } else if (TakeWord("diagnose")) {
      rule->action = Rule::Action::kDiagnose;
      message();
    } else if (TakeWord("crash")) {
      rule->action = Rule::Action::kCrash;
    } else if (TakeWord("abort")) {
      rule->action = Rule::Action::kAbort;
    } else if (TakeWord("hang")) {
      rule->action = Rule::Action::kHang;
    } else if (TakeWord("leak")) {
      rule->action = Rule::Action::kLeak;
      IRATE_ASSIGN_OR_RETURN(const uint64_t bytes,
                             ParseUnsigned("a number of bytes", uint64_t{1} << 32));
      rule->amount = static_cast<int64_t>(bytes);
    } else if (TakeWord("exhaust")) {
      TakeWord("memory");
      rule->action = Rule::Action::kExhaust;
    } else if (TakeWord("break")) {
      rule->action = Rule::Action::kRuntime;
      IRATE_ASSIGN_OR_RETURN(rule->message, ParseString("how the runtime breaks its contract"));
    } else {
      return Expected(
          "\"rewrite\", \"alternate\", \"mutate input\", \"skip\", \"throw\", \"diagnose\", "
          "\"crash\", \"abort\", \"hang\", \"leak\", \"break\" or \"exhaust memory\"");
    }
    return absl::OkStatus();
  }

  absl::Status ParseExpectation(Rule* rule) {
    std::vector<std::string>* list = nullptr;
    if (TakeWord("oracle")) {
      list = &rule->expected_oracles;
    } else if (TakeWord("culprit")) {
      list = &rule->expected_culprits;
    } else {
      return Expected("\"oracle\" or \"culprit\"");
    }
    do {
      IRATE_ASSIGN_OR_RETURN(std::string name, ParseString("a name"));
      list->push_back(std::move(name));
    } while (TakePunctuation(","));
    return absl::OkStatus();
  }

  absl::Status Check(const Rule& rule, const Token& place) const {
    const auto fail = [&](std::string_view what) {
      return Error(place, fmt::format("fault \"{}\": {}", rule.name, what));
    };
    if (rule.passes.empty()) return fail("no pass is named; \"pass *\" is every one");
    bool replaces = false;
    for (const Alternative& alternative : rule.alternatives) replaces |= alternative.replaces;
    if ((rule.action == Rule::Action::kRuntime) != Concerns(rule, kAtRuntime)) {
      return fail("\"pass runtime\" and \"do break\" need each other");
    }
    const bool rewrites = rule.action == Rule::Action::kAlternate ||
                          rule.action == Rule::Action::kMutateInput ||
                          (rule.action == Rule::Action::kRewrite && !rule.is_null);
    if (rewrites && !replaces) return fail("there is nothing to rewrite: add \"rewrite A => B\"");
    if (replaces && !rewrites && !rule.is_null) {
      return fail("this action rewrites nothing: use \"match\" instead of \"rewrite\"");
    }
    for (const Alternative& alternative : rule.alternatives) {
      if (alternative.replaces != replaces) return fail("\"match\" and \"rewrite\" together");
    }
    return absl::OkStatus();
  }

  // Conditions, loosest first.
  absl::StatusOr<Condition> ParseCondition(Rule* rule) {
    IRATE_ASSIGN_OR_RETURN(Condition left, ParseAnd(rule));
    while (TakeWord("or") || TakePunctuation("||")) {
      IRATE_ASSIGN_OR_RETURN(Condition right, ParseAnd(rule));
      left = Join("||", std::move(left), std::move(right));
    }
    return left;
  }

  absl::StatusOr<Condition> ParseAnd(Rule* rule) {
    IRATE_ASSIGN_OR_RETURN(Condition left, ParseNot(rule));
    while (TakeWord("and") || TakePunctuation("&&")) {
      IRATE_ASSIGN_OR_RETURN(Condition right, ParseNot(rule));
      left = Join("&&", std::move(left), std::move(right));
    }
    return left;
  }

  static Condition Join(std::string op, Condition a, Condition b) {
    Condition both;
    both.kind = Condition::Kind::kBinary;
    both.text = std::move(op);
    both.args.push_back(std::move(a));
    both.args.push_back(std::move(b));
    return both;
  }

  static Condition Negate(Condition condition) {
    Condition negated;
    negated.kind = Condition::Kind::kNot;
    negated.args.push_back(std::move(condition));
    return negated;
  }

  absl::StatusOr<Condition> ParseNot(Rule* rule) {
    if (!TakeWord("not") && !TakePunctuation("!")) return ParseComparison(rule);
    IRATE_RETURN_IF_ERROR(Enter());
    IRATE_ASSIGN_OR_RETURN(Condition condition, ParseNot(rule));
    --depth_;
    return Negate(std::move(condition));
  }

  absl::StatusOr<Condition> ParseComparison(Rule* rule) {
    IRATE_ASSIGN_OR_RETURN(Condition left, ParseSum(rule));
    for (const char* op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!TakePunctuation(op)) continue;
      IRATE_ASSIGN_OR_RETURN(Condition right, ParseSum(rule));
      return Join(op, std::move(left), std::move(right));
    }
    return left;
  }

  absl::StatusOr<Condition> ParseSum(Rule* rule) {
    IRATE_ASSIGN_OR_RETURN(Condition left, ParseProduct(rule));
    while (IsPunctuation("+") || IsPunctuation("-")) {
      const std::string op = Next().text;
      IRATE_ASSIGN_OR_RETURN(Condition right, ParseProduct(rule));
      left = Join(op, std::move(left), std::move(right));
    }
    return left;
  }

  absl::StatusOr<Condition> ParseProduct(Rule* rule) {
    IRATE_ASSIGN_OR_RETURN(Condition left, ParseTerm(rule));
    while (IsPunctuation("*") || IsPunctuation("//") || IsPunctuation("%")) {
      const std::string op = Next().text;
      IRATE_ASSIGN_OR_RETURN(Condition right, ParseTerm(rule));
      left = Join(op, std::move(left), std::move(right));
    }
    return left;
  }

  absl::StatusOr<Condition> ParseTerm(Rule* rule) {
    Condition condition;
    if (Peek().kind == Token::Kind::kInteger || IsPunctuation("-")) {
      IRATE_ASSIGN_OR_RETURN(condition.value, ParseSigned("a number"));
      return condition;
    }
    if (Peek().kind == Token::Kind::kString) {
      condition.kind = Condition::Kind::kText;
      condition.text = Next().text;
      return condition;
    }
    if (TakePunctuation("(")) {
      IRATE_RETURN_IF_ERROR(Enter());
      IRATE_ASSIGN_OR_RETURN(condition, ParseCondition(rule));
      --depth_;
      IRATE_RETURN_IF_ERROR(Expect(")"));
      return condition;
    }
    if (IsMeta()) return ParseMetaTerm(rule);
    if (TakeWord("true") || TakeWord("false")) {
      condition.value = tokens_[at_ - 1].text == "true" ? 1 : 0;
      return condition;
    }
    if (TakeWord("inside")) return ParseInside();
    if (TakeWord("in")) return ParseIn();
    if ((IsWord("module") || IsWord("function")) && (IsWord("contains", 1) || IsWord("not", 1))) {
      condition.text = Next().text;
      return ParseContains(std::move(condition), rule);
    }
    if (Peek().kind == Token::Kind::kWord) return ParseFunction(rule);
    return Expected("a condition");
  }

  absl::StatusOr<Condition> ParseMetaTerm(Rule* rule) {
    Condition condition;
    condition.kind = Condition::Kind::kMeta;
    condition.text = Next().text;
    TakePunctuation("...");
    if (TakeWord("is")) {
      const bool negated = TakeWord("not");
      Condition test;
      test.kind = Condition::Kind::kIs;
      test.args.push_back(std::move(condition));
      do {
        if (Peek().kind != Token::Kind::kWord ||
            !(IsTest(Peek().text) || IsStmtKind(Peek().text))) {
          return Expected("const, var, load, float, int, vector, i32, loop, param, ...");
        }
        test.words.push_back(Next().text);
      } while (TakePunctuation("|"));
      return negated ? Negate(std::move(test)) : test;
    }
    if (IsWord("contains") || (IsWord("not") && IsWord("contains", 1))) {
      return ParseContains(std::move(condition), rule);
    }
    return condition;
  }

  absl::StatusOr<Condition> ParseContains(Condition condition, Rule* rule) {
    const bool negated = TakeWord("not");
    IRATE_RETURN_IF_ERROR(ExpectWord("contains"));
    condition.kind = Condition::Kind::kContains;
    Pattern pattern;
    pattern.is_stmts = IsPunctuation("{");
    if (!pattern.is_stmts) IRATE_RETURN_IF_ERROR(Expect("("));
    IRATE_RETURN_IF_ERROR(ParsePattern(&rule->names, &pattern.expr, &pattern.stmts));
    if (!pattern.is_stmts) IRATE_RETURN_IF_ERROR(Expect(")"));
    condition.pattern = std::make_shared<const Pattern>(std::move(pattern));
    return negated ? Negate(std::move(condition)) : condition;
  }

  absl::StatusOr<Condition> ParseInside() {
    Condition condition;
    condition.kind = Condition::Kind::kInside;
    do {
      if (Peek().kind == Token::Kind::kWord && IsStmtKind(Peek().text)) {
        const bool is_attribute = Peek().text == "attr";
        condition.words.push_back(Next().text);
        if (is_attribute && Peek().kind == Token::Kind::kString) {
          condition.words.back() = "\"" + Next().text;
        }
      } else {
        return Expected(
            "for, serial, parallel, vectorized, unrolled, bind, while, if, block or attr");
      }
    } while (TakePunctuation("|"));
    return condition;
  }

  absl::StatusOr<Condition> ParseIn() {
    Condition condition;
    condition.kind = Condition::Kind::kIn;
    do {
      if (Peek().kind != Token::Kind::kWord || !IsPosition(Peek().text)) {
        return Expected("index, value, condition, bounds, predicate, binding, call, let or alias");
      }
      condition.words.push_back(Next().text);
    } while (TakePunctuation("|"));
    return condition;
  }

  absl::StatusOr<Condition> ParseFunction(Rule* rule) {
    const Token place = Peek();
    Condition condition;
    condition.kind = Condition::Kind::kFunction;
    condition.text = Next().text;
    const int arity = FunctionArity(condition.text);
    if (arity < 0) {
      return Error(place, fmt::format("conditions have no function \"{}\"", condition.text));
    }
    if (arity == 0) {
      if (TakePunctuation("(")) IRATE_RETURN_IF_ERROR(Expect(")"));
      return condition;
    }
    IRATE_RETURN_IF_ERROR(Expect("("));
    IRATE_RETURN_IF_ERROR(Enter());
    do {
      IRATE_ASSIGN_OR_RETURN(Condition arg, ParseCondition(rule));
      condition.args.push_back(std::move(arg));
    } while (TakePunctuation(","));
    --depth_;
    IRATE_RETURN_IF_ERROR(Expect(")"));
    if (static_cast<int>(condition.args.size()) != arity) {
      return Error(place, fmt::format("{} takes {} arguments", condition.text, arity));
    }
    return condition;
  }
};

}  // namespace

absl::StatusOr<std::vector<Rule>> ParseRules(std::string_view text) {
  IRATE_ASSIGN_OR_RETURN(std::vector<Token> tokens, text::Tokenize(text));
  return RuleParser(std::move(tokens)).Run();
}

}  // namespace irate::rewrite
