// Early return for functions that report errors as absl::Status or absl::StatusOr.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define IRATE_STATUS_CONCAT_INNER(a, b) a##b
#define IRATE_STATUS_CONCAT(a, b) IRATE_STATUS_CONCAT_INNER(a, b)

// Returns the status of `expr` unless it is OK.
#define IRATE_RETURN_IF_ERROR(expr)                               \
  do {                                                            \
    if (absl::Status irate_status = (expr); !irate_status.ok()) { \
      return irate_status;                                        \
    }                                                             \
  } while (false)

// `lhs` becomes the value of `expr`; returns the status if there is none. `lhs` may be a
// declaration, so it cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define IRATE_ASSIGN_OR_RETURN(lhs, expr) \
  IRATE_ASSIGN_OR_RETURN_IMPL(IRATE_STATUS_CONCAT(irate_result, __LINE__), lhs, expr)
#define IRATE_ASSIGN_OR_RETURN_IMPL(result, lhs, expr) \
  auto result = (expr);                                \
  if (!result.ok()) return result.status();            \
  lhs = std::move(result).value()
// NOLINTEND(bugprone-macro-parentheses)
