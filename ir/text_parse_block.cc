#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"
#include "ir/types.h"

namespace irate::text {

absl::Status Parser::ParseBlock(Stmt* stmt) {
  Next();
  stmt->set_kind(BLOCK);
  Block* block = stmt->mutable_block();
  IRATE_ASSIGN_OR_RETURN(*block->mutable_name(), ParseString("the block's name"));
  IRATE_RETURN_IF_ERROR(Expect("{"));
  bool more_clauses = true;
  while (more_clauses) {
    IRATE_ASSIGN_OR_RETURN(more_clauses, ParseBlockClause(block, stmt->mutable_strings()));
  }
  while (!TakePunctuation("}")) {
    if (Peek().kind == Token::Kind::kEnd) return Expected("a statement or \"}\"");
    IRATE_RETURN_IF_ERROR(ParseStmt(stmt->add_body()));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Parser::ParseBlockClause(Block* block, Strings* clauses) {
  const Token place = Peek();
  if (pattern_ && place.kind == Token::Kind::kWord) clauses->Add()->assign(place.text);
  if (TakeWord("iter")) {
    IRATE_RETURN_IF_ERROR(ParseIter(block->add_iters()));
  } else if (TakeWord("where")) {
    if (block->has_predicate()) return Error(place, "a second predicate; join them with &&");
    IRATE_ASSIGN_OR_RETURN(*block->mutable_predicate(), ParseExpr());
  } else if (TakeWord("reads")) {
    IRATE_RETURN_IF_ERROR(ParseRegions(block->mutable_reads()));
  } else if (TakeWord("writes")) {
    IRATE_RETURN_IF_ERROR(ParseRegions(block->mutable_writes()));
  } else if (TakeWord("allocates")) {
    do {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
      block->add_alloc_buffers(id);
    } while (TakePunctuation(","));
  } else if (TakeWord("matches")) {
    MatchBuffer* match = block->add_match_buffers();
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
    match->set_buffer(id);
    IRATE_RETURN_IF_ERROR(Expect("="));
    IRATE_RETURN_IF_ERROR(ParseRegion(match->mutable_source()));
  } else if (IsWord("attributes")) {
    IRATE_RETURN_IF_ERROR(ParseAttributes(block->mutable_annotations()));
  } else if (TakeWord("init")) {
    if (block->init_size() != 0) return Error(place, "a second init");
    IRATE_RETURN_IF_ERROR(ParseBody(block->mutable_init()));
  } else {
    return false;
  }
  return true;
}

absl::Status Parser::ParseIter(BlockIter* iter) {
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseVariable());
  iter->set_variable(id);
  IRATE_RETURN_IF_ERROR(Expect(":"));
  if (TakeWord("spatial")) {
    iter->set_kind(SPATIAL);
  } else if (TakeWord("reduction")) {
    iter->set_kind(REDUCTION);
  } else if (TakeWord("opaque")) {
    iter->set_kind(OPAQUE_ITER);
  } else {
    return Expected("\"spatial\", \"reduction\" or \"opaque\"");
  }
  IRATE_RETURN_IF_ERROR(
      ParseRange(iter->mutable_domain()->mutable_min(), iter->mutable_domain()->mutable_extent()));
  IRATE_RETURN_IF_ERROR(Expect("="));
  IRATE_ASSIGN_OR_RETURN(*iter->mutable_binding(), ParseExpr());
  return absl::OkStatus();
}

absl::Status Parser::ParseRegions(google::protobuf::RepeatedPtrField<BufferRegion>* regions) {
  do {
    IRATE_RETURN_IF_ERROR(ParseRegion(regions->Add()));
  } while (TakePunctuation(","));
  return absl::OkStatus();
}

absl::Status Parser::ParseRegion(BufferRegion* region) {
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
  region->set_buffer(id);
  IRATE_RETURN_IF_ERROR(Expect("["));
  if (TakePunctuation("]")) return absl::OkStatus();
  do {
    const Token start = Peek();
    Range* range = region->add_ranges();
    IRATE_ASSIGN_OR_RETURN(*range->mutable_min(), ParseExpr(kOr));
    if (IsPunctuation("..") || IsPunctuation("+:")) {
      IRATE_RETURN_IF_ERROR(FinishRange(start, range->mutable_min(), range->mutable_extent()));
      continue;
    }
    // One element: the extent is 1, of the index's type.
    range->mutable_extent()->set_op(CONST);
    range->mutable_extent()->set_type(range->min().type());
    range->mutable_extent()->set_int_value(1);
  } while (TakePunctuation(","));
  return Expect("]");
}

absl::Status Parser::ParseAttributes(Attributes* attributes) {
  if (!TakeWord("attributes")) return absl::OkStatus();
  IRATE_RETURN_IF_ERROR(Expect("{"));
  while (!IsPunctuation("}")) {
    Attribute* attribute = attributes->Add();
    IRATE_ASSIGN_OR_RETURN(*attribute->mutable_key(), ParseString("the attribute's key"));
    IRATE_RETURN_IF_ERROR(Expect("="));
    IRATE_ASSIGN_OR_RETURN(*attribute->mutable_value(), ParseExpr());
    if (!TakePunctuation(",")) break;
  }
  return Expect("}");
}

}  // namespace irate::text
