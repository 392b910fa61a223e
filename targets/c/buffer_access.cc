// The part of ExprPrinter that turns indices into memory.
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/expr_printer.h"

namespace irate::c_target {

std::string ExprPrinter::BufferName(uint32_t id) const {
  return CBufferName(function_.buffers(static_cast<int>(id)).name(), id);
}

std::string ExprPrinter::ElementType(uint32_t buffer) {
  const Buffer& declared = function_.buffers(static_cast<int>(buffer));
  std::string type = context_.prelude->Type(declared.type(), declared.lanes());
  if (!context_.has_views) return type;
  return context_.prelude->AliasedType(declared.type(), declared.lanes());
}

std::string ExprPrinter::Offset(uint32_t buffer, const std::vector<std::string>& indices) {
  const Buffer& declared = function_.buffers(static_cast<int>(buffer));
  std::string sum;
  for (size_t i = 0; i < indices.size(); ++i) {
    const int dimension = static_cast<int>(i);
    std::string index = fmt::format("(int64_t){}", indices[i]);
    if (context_.prelude->checked()) {
      context_.prelude->Need("index");
      index = fmt::format("irate_index({}, {}, \"dimension {} of {}\")", indices[i],
                          Print(declared.shape(dimension)), i, BufferName(buffer));
    }
    if (declared.strides_size() > 0) {
      sum +=
          fmt::format("{}{} * {}", i == 0 ? "" : " + ", index, Print(declared.strides(dimension)));
    } else if (i == 0) {
      sum = index;
    } else {
      sum = fmt::format("{}{}{} * {} + {}", i > 1 ? "(" : "", sum, i > 1 ? ")" : "",
                        Print(declared.shape(dimension)), index);
    }
  }
  if (declared.has_elem_offset()) {
    sum = fmt::format("{}{}(int64_t){}", sum, sum.empty() ? "" : " + ",
                      Print(declared.elem_offset()));
  }
  return sum.empty() ? "0" : sum;
}

std::string ExprPrinter::Element(uint32_t buffer, const std::vector<std::string>& indices) {
  return fmt::format("{}[{}]", BufferName(buffer), Offset(buffer, indices));
}

std::string ExprPrinter::Extent(uint32_t buffer) {
  const Buffer& declared = function_.buffers(static_cast<int>(buffer));
  std::vector<std::string> factors;
  std::vector<std::string> terms;
  for (int i = 0; i < declared.shape_size(); ++i) {
    const std::string extent = fmt::format("(int64_t){}", Print(declared.shape(i)));
    factors.push_back(extent);
    if (declared.strides_size() > 0) {
      terms.push_back(fmt::format("({} - 1) * {}", extent, Print(declared.strides(i))));
    }
  }
  if (declared.strides_size() == 0) {
    terms.push_back(factors.empty() ? "1" : absl::StrJoin(factors, " * "));
  } else {
    terms.push_back("1");
  }
  if (declared.has_elem_offset()) {
    terms.push_back(fmt::format("(int64_t){}", Print(declared.elem_offset())));
  }
  return absl::StrJoin(terms, " + ");
}

std::string ExprPrinter::PrintLoad(const Expr& expr) {
  const Buffer& declared = function_.buffers(static_cast<int>(expr.id()));
  std::vector<std::string> indices;
  for (const Expr& index : expr.args()) indices.push_back(Print(index));
  const uint32_t count = expr.args().empty() ? 1 : Lanes(expr.args(expr.args_size() - 1).lanes());
  if (count == 1) return Element(expr.id(), indices);
  const std::string index_type =
      context_.prelude->Type(expr.args(expr.args_size() - 1).type(), count);
  const std::string index = indices.back();
  indices.back() = "irate_x.v[irate_l]";
  const uint32_t inner = Lanes(declared.lanes());
  const std::string element = Element(expr.id(), indices);
  const std::string copy = inner == 1
                               ? fmt::format("irate_r.v[irate_l] = {}", element)
                               : fmt::format("memcpy(&irate_r.v[irate_l * {}], &{}, sizeof {})",
                                             inner, element, element);
  return fmt::format(
      "({{ const {} irate_x = {}; {} irate_r; "
      "for (int irate_l = 0; irate_l < {}; ++irate_l) {}; irate_r; }})",
      index_type, index, context_.prelude->Type(expr.type(), expr.lanes()), count, copy);
}

}  // namespace irate::c_target
