// From a Module to a Program. What the interpreter has no meaning for becomes an instruction that
// stops there, so that only a run that reaches it is unsupported.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/interpreter/program.h"
#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::interp {

// InvalidArgument if the module is malformed (Verify would say more); never recurses deeper or
// builds more than the limits of ir/verify.h allow.
absl::StatusOr<Program> CompileModule(const Module& module);

// Whether control may leave `list` other than at its end: by RETURN, or by a BREAK or CONTINUE of a
// loop around it (unless `in_loop`, the list being inside of one).
bool Escapes(const StmtList& list, bool in_loop);

// The result of an expression: `lanes` cells from `index` on.
struct Reg {
  uint32_t index = 0;
  ScalarType type = VOID;
  uint32_t lanes = 1;
};

// Whether the function is device code that host functions launch, and the dimensions of the launch
// in the order of its arguments; kThreadDims for what is none.
bool IsKernel(const Function& function);
std::vector<uint32_t> LaunchDimensions(const Function& function);

class FunctionCompiler {
 public:
  FunctionCompiler(const Module& module, const Function& function);

  absl::StatusOr<CompiledFunction> Compile();

 private:
  // --- compiler.cc: emitting ---
  uint32_t Here() const { return static_cast<uint32_t>(out_.code.size()); }
  Instr& Emit(Instr instr);
  void EmitTrap(Trap trap, std::string text);
  uint32_t NewCells(uint32_t count);
  Reg NewReg(ScalarType type, uint32_t lanes);
  uint32_t AddList(const std::vector<uint32_t>& items);
  // Remembers the first error; compilation goes on with arbitrary registers.
  void Fail(std::string what);
  // A register to go on with after Fail or EmitTrap.
  Reg Nothing(const Expr& expr);
  Reg Variable(uint32_t id);
  bool KnowsBuffer(uint32_t id);
  void CompilePrologue();

  // --- compile_expr.cc ---
  Reg CompileExpr(const Expr& expr);
  Reg CompileConst(const Expr& expr);
  Reg CompileBinary(const Expr& expr);
  Reg CompileSelect(const Expr& expr);
  Reg CompileIfThenElse(const Expr& expr);
  Reg CompileConversion(const Expr& expr);
  Reg CompileShuffle(const Expr& expr);
  Reg CompileLoad(const Expr& expr, Code code);
  Reg Shuffle(ScalarType type, const std::vector<uint32_t>& cells);
  void Move(Reg from, uint32_t to);
  Reg CastTo(ScalarType type, Reg from);
  static bool StoresBoolAs(ScalarType memory, ScalarType value);
  Reg IntConst(ScalarType type, int64_t value);
  Reg Binary(Code code, uint16_t aux, ScalarType result, Reg a, Reg b);
  // Registers of a buffer access's indices; the lanes of the last.
  uint32_t CompileIndices(const google::protobuf::RepeatedPtrField<Expr>& args, int first,
                          const Buffer& buffer, uint32_t* list);
  bool Arity(const Expr& expr, int min, int max);
  // A scalar of an integer type, as addresses and bounds need it.
  Reg CompileScalarInt(const Expr& expr);
  Reg CompileCondition(const Expr& expr);

  // --- compile_call.cc ---
  Reg CompileCall(const Expr& expr);
  Reg CompileFunctionCall(const Expr& expr);
  bool CompileHint(const Expr& expr, Reg* out);
  bool CompileMath(const Expr& expr, Reg* out);
  bool CompileMathCall(const MathFunction* function, const Expr& expr, int first, Reg* out);
  bool CompileNamed(std::string_view name, const Expr& expr, int first, Reg* out);
  bool CompileInteger(std::string_view name, const Expr& expr, int first, Reg* out);
  bool CompileExtern(const Expr& expr, Reg* out);
  bool CompileVectorPart(const Expr& expr, Reg* out);
  // --- compile_pointer.cc ---
  bool CompilePointer(const Expr& expr, Reg* out);
  bool CompileStruct(const Expr& expr, Reg* out);
  bool CompilePackedCall(const Expr& expr, Reg* out);
  bool CompileExternalCall(const Expr& expr, bool is_lowered, Reg* out);
  Reg CompileArg(const Expr& expr, int index);

  // --- compile_stmt.cc ---
  void CompileList(const StmtList& list);
  void CompileStmt(const Stmt& stmt);
  void CompileFor(const Stmt& stmt);
  void CompileWhile(const Stmt& stmt);
  void CompileIf(const Stmt& stmt);
  void CompileStore(const Stmt& stmt);
  void CompileJumpOut(const Stmt& stmt);
  void CompileAssert(const Stmt& stmt);
  void CompileAttr(const Stmt& stmt);
  void EmitBranch(Reg condition, bool escapes, const std::function<void()>& then_arm,
                  const std::function<void()>& else_arm);

  // A loop of `kind`, whatever its own; `body` is its body.
  void CompileLoop(const Stmt& stmt, LoopKind kind) { EmitLoop(stmt, kind, stmt.body()); }
  void EmitLoop(const Stmt& stmt, LoopKind kind, const StmtList& body);

  // --- compile_device.cc ---
  void CompileThreadLoop(const Stmt& stmt);
  void CompileThreadAttr(const Stmt& stmt);
  void CompileVirtualThread(const Stmt& stmt);
  void CompileThreadIndex(uint32_t id, uint32_t dim, const Expr* min, const Expr& extent);
  void CompileInLaunch(const Stmt& stmt, const std::function<void()>& body);
  bool CompileLaunchExtents(const Stmt& stmt, Launch* launch);
  void CompileBarrier(const std::string& scope);
  void CompileReducerScope(const Stmt& stmt);
  bool CompileAllReduce(const Expr& expr, Reg* out);
  bool CompileKernelCall(const Expr& expr, Reg* out);
  void EmitConverge();
  bool IsVarying(const Expr& expr) const;
  // Registers of the loops around, innermost first.
  std::vector<uint32_t> LoopVariables() const;

  // --- compile_block.cc ---
  void CompileBlock(const Stmt& stmt);
  void MarkReduction(const Stmt& stmt);
  void CompilePredicated(const Stmt& stmt);
  void CompileInstance(const Stmt& stmt);
  void CompileInit(const Stmt& stmt);
  void CompileMatch(const MatchBuffer& match);
  void CheckDomain(const BlockIter& iter);
  uint32_t DeclareBuffer(uint32_t id);

  struct OpenLoop {
    bool is_parallel = false;
    std::vector<uint32_t> breaks;     // jumps to patch to the end
    std::vector<uint32_t> continues;  // jumps to patch to the next iteration
  };
  // Directs the innermost loop's breaks and continues.
  void CloseLoop(uint32_t next, uint32_t end);
  // Places of the instructions that are emitted until the matching LeavePlace.
  uint32_t EnterPlace(const Stmt& stmt);
  void LeavePlace(uint32_t outer) { place_ = outer; }

  const Module& module_;
  const Function& function_;
  CompiledFunction out_;
  absl::Status status_;
  std::unordered_map<uint64_t, uint32_t> constants_[17];
  std::vector<OpenLoop> open_loops_;
  uint32_t place_ = 0;
  // How many arms of SELECT enclose what is being compiled.
  int select_depth_ = 0;
  int parallel_depth_ = 0;
  // Of device code.
  bool in_launch_ = false;
  bool diverged_ = false;                 // threads of one block may be at different places
  std::unordered_set<uint32_t> varying_;  // variables that differ between threads
  std::unordered_map<uint32_t, uint32_t> thread_dims_;  // of thread indices
  const Stmt* reducer_ = nullptr;                       // the attribute around a reduction
  // The buffers that a reduction over threads writes.
  std::unordered_set<uint32_t> reduced_;
};

}  // namespace irate::interp
