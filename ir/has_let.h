// Whether an expression binds variables: a program binds each one once, so such an expression
// stands in one place only and must not be copied (rename what it binds, or bind its value first).
#pragma once

namespace irate {

class Expr;

bool HasLet(const Expr& expr);

}  // namespace irate
