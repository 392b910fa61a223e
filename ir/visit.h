// Walks over functions, const and mutable. All are recursive: for messages of bounded depth, that
// is, verified ones and those that builders made.
//
//   VisitExprs(function, [](const Expr& expr) { ... });     // every expression, outside in
//   VisitExprs(&function, [](Expr& expr) { ... });          // inside out: `expr` may be replaced
//   VisitStmts(function, [](const Stmt& stmt) { ... });     // every statement, outside in
//   VisitLists(&function, [](StmtList& list) { ... });      // inside out: statements may go
#pragma once

#include <cstdint>
#include <type_traits>

#include "google/protobuf/repeated_ptr_field.h"
#include "ir/irate.pb.h"

namespace irate {

using StmtList = google::protobuf::RepeatedPtrField<Stmt>;

namespace visit_internal {

// The field of a const or a mutable message, as a reference of the same constness.
#define IRATE_VISIT_FIELD(Name, name)   \
  template <typename M>                 \
  auto& Name(M& message) {              \
    if constexpr (std::is_const_v<M>) { \
      return message.name();            \
    } else {                            \
      return *message.mutable_##name(); \
    }                                   \
  }
IRATE_VISIT_FIELD(Args, args)
IRATE_VISIT_FIELD(Body, body)
IRATE_VISIT_FIELD(Orelse, orelse)
IRATE_VISIT_FIELD(Init, init)
IRATE_VISIT_FIELD(BlockOf, block)
IRATE_VISIT_FIELD(Annotations, annotations)
IRATE_VISIT_FIELD(Attrs, attrs)
IRATE_VISIT_FIELD(Value, value)
IRATE_VISIT_FIELD(Iters, iters)
IRATE_VISIT_FIELD(Domain, domain)
IRATE_VISIT_FIELD(Binding, binding)
IRATE_VISIT_FIELD(Min, min)
IRATE_VISIT_FIELD(Extent, extent)
IRATE_VISIT_FIELD(Predicate, predicate)
IRATE_VISIT_FIELD(Reads, reads)
IRATE_VISIT_FIELD(Writes, writes)
IRATE_VISIT_FIELD(Matches, match_buffers)
IRATE_VISIT_FIELD(Source, source)
IRATE_VISIT_FIELD(Ranges, ranges)
IRATE_VISIT_FIELD(Buffers, buffers)
IRATE_VISIT_FIELD(Shape, shape)
IRATE_VISIT_FIELD(Strides, strides)
IRATE_VISIT_FIELD(ElemOffset, elem_offset)
#undef IRATE_VISIT_FIELD

template <typename R, typename F>
void RangeExprs(R& range, F& f) {
  if (range.has_min()) f(Min(range));
  if (range.has_extent()) f(Extent(range));
}

template <typename R, typename F>
void RegionExprs(R& region, F& f) {
  for (auto& range : Ranges(region)) RangeExprs(range, f);
}

template <typename A, typename F>
void AttributeExprs(A& attributes, F& f) {
  for (auto& attribute : attributes) {
    if (attribute.has_value()) f(Value(attribute));
  }
}

template <typename B, typename F>
void BlockExprs(B& block, F& f) {
  for (auto& iter : Iters(block)) {
    if (iter.has_domain()) RangeExprs(Domain(iter), f);
    if (iter.has_binding()) f(Binding(iter));
  }
  if (block.has_predicate()) f(Predicate(block));
  for (auto& region : Reads(block)) RegionExprs(region, f);
  for (auto& region : Writes(block)) RegionExprs(region, f);
  for (auto& match : Matches(block)) {
    if (match.has_source()) RegionExprs(Source(match), f);
  }
  AttributeExprs(Annotations(block), f);
}

template <typename B, typename F>
void BufferExprs(B& buffer, F& f) {
  for (auto& extent : Shape(buffer)) f(extent);
  for (auto& stride : Strides(buffer)) f(stride);
  if (buffer.has_elem_offset()) f(ElemOffset(buffer));
}

}  // namespace visit_internal

// `f` on the expressions that belong to `stmt` itself, not on their operands and not on those of
// nested statements. S is Stmt or const Stmt.
template <typename S, typename F>
void ForEachRootExpr(S& stmt, F&& f) {
  namespace v = visit_internal;
  for (auto& arg : v::Args(stmt)) f(arg);
  if (stmt.has_block()) v::BlockExprs(v::BlockOf(stmt), f);
  v::AttributeExprs(v::Annotations(stmt), f);
}

// `f` on each list of statements directly inside `stmt`: init, body, orelse.
template <typename S, typename F>
void ForEachChildList(S& stmt, F&& f) {
  namespace v = visit_internal;
  if (stmt.has_block()) f(v::Init(v::BlockOf(stmt)));
  f(v::Body(stmt));
  f(v::Orelse(stmt));
}

// `expr` and its operands. Outside in if E is const, else inside out.
template <typename E, typename F>
void VisitExpr(E& expr, F&& f) {
  if constexpr (std::is_const_v<E>) f(expr);
  for (auto& arg : visit_internal::Args(expr)) VisitExpr(arg, f);
  if constexpr (!std::is_const_v<E>) f(expr);
}

// The statements of `list` and those nested in them, outside in.
template <typename L, typename F>
void VisitStmts(L& list, F&& f)
  requires(!std::is_base_of_v<Function, L>)
{
  for (auto& stmt : list) {
    f(stmt);
    ForEachChildList(stmt, [&f](auto& nested) { VisitStmts(nested, f); });
  }
}

template <typename F>
void VisitStmts(const Function& function, F&& f) {
  VisitStmts(function.body(), f);
}
template <typename F>
void VisitStmts(Function* function, F&& f) {
  VisitStmts(*function->mutable_body(), f);
}

// Every list of statements, the innermost first and the function's body last.
template <typename F>
void VisitLists(Function* function, F&& f) {
  const auto visit = [&f](StmtList& list, const auto& self) -> void {
    for (Stmt& stmt : list) {
      ForEachChildList(stmt, [&self](StmtList& nested) { self(nested, self); });
    }
    f(list);
  };
  visit(*function->mutable_body(), visit);
}

// Every expression of a function: attributes, declarations of buffers, statements.
template <typename F>
void VisitExprs(const Function& function, F&& f) {
  const auto root = [&f](const Expr& expr) { VisitExpr(expr, f); };
  visit_internal::AttributeExprs(function.attrs(), root);
  for (const Buffer& buffer : function.buffers()) visit_internal::BufferExprs(buffer, root);
  VisitStmts(function, [&root](const Stmt& stmt) { ForEachRootExpr(stmt, root); });
}
template <typename F>
void VisitExprs(Function* function, F&& f) {
  const auto root = [&f](Expr& expr) { VisitExpr(expr, f); };
  visit_internal::AttributeExprs(*function->mutable_attrs(), root);
  for (Buffer& buffer : *function->mutable_buffers()) visit_internal::BufferExprs(buffer, root);
  VisitStmts(function, [&root](Stmt& stmt) { ForEachRootExpr(stmt, root); });
}

// Expressions and statements, those of buffer declarations included: the size of a program as the
// reducer and the choice of the smallest Case see it.
int64_t CountNodes(const Module& module);

}  // namespace irate
