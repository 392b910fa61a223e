// Conflicts between iterations of parallel and vectorized loops.
#include "ir/interpreter/race.h"

#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

constexpr LoopKind kParallel[] = {PARALLEL, VECTORIZED};

TEST(Race, TwoWritesToOnePlace) {
  for (LoopKind kind : {PARALLEL, VECTORIZED, SERIAL, UNROLLED}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {4});
    const uint32_t i = p.Var("i");
    Expr index = b::Binary(FLOOR_DIV, p.V(i), C(2));
    p.Add(b::For(i, C(0), C(4), kind, {b::Store(out, p.V(i), {index})}));
    const Interpretation result = p.Run();
    if (kind == SERIAL || kind == UNROLLED) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "conflict between loop iterations: B[0] of shape [4]");
      EXPECT_EQ(result.place(), "for i = 1: store B[0]");
    }
  }
}

TEST(Race, ReadOfANeighbour) {
  for (LoopKind kind : kParallel) {
    for (int64_t distance : {1, -1, 0}) {
      Program p;
      const uint32_t out = p.Param("B", I32, {6});
      const uint32_t i = p.Var("i");
      Expr neighbour = p.L(out, {b::Binary(ADD, p.V(i), C(distance))});
      p.Add(b::For(i, C(1), C(4), kind, {b::Store(out, neighbour, {p.V(i)})}));
      const Interpretation result = p.Run();
      EXPECT_EQ(result.status(),
                distance == 0 ? Interpretation::DEFINED : Interpretation::UNDEFINED)
          << distance;
    }
  }
}

TEST(Race, ManyReadersThenAWriter) {
  // Iterations 0 to 3 read element 0; the last also writes it.
  for (LoopKind kind : kParallel) {
    for (int64_t writer : {0, 3, 9}) {
      Program p;
      const uint32_t a = p.Param("A", I32, {1});
      const uint32_t out = p.Param("B", I32, {4});
      const uint32_t i = p.Var("i");
      p.Add(b::For(i, C(0), C(4), kind,
                   {b::Store(out, p.L(a, {C(0)}), {p.V(i)}),
                    b::If(b::Binary(EQ, p.V(i), C(writer)), {b::Store(a, C(1), {C(0)})})}));
      const Interpretation result = p.Run();
      EXPECT_EQ(result.status(), writer == 9 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
    }
  }
}

TEST(Race, LocalBuffersArePrivate) {
  for (bool inside : {true, false}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {4});
    const uint32_t tmp = p.Buffer("T", I32, {1});
    const uint32_t i = p.Var("i");
    std::vector<Stmt> body = {b::Store(tmp, p.V(i), {C(0)}),
                              b::Store(out, p.L(tmp, {C(0)}), {p.V(i)})};
    if (inside) {
      body.insert(body.begin(), b::Alloc(tmp));
    } else {
      p.Add(b::Alloc(tmp));
    }
    p.Add(b::For(i, C(0), C(4), PARALLEL, body));
    const Interpretation result = p.Run();
    EXPECT_EQ(result.status(), inside ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Race, NestedLoops) {
  // B[f(i, j)] in a parallel loop around another loop.
  struct Case {
    LoopKind outer;
    LoopKind inner;
    bool by_inner;  // written per inner iteration, else per outer
    bool defined;
  };
  for (const Case& c :
       {Case{PARALLEL, SERIAL, false, true}, Case{PARALLEL, SERIAL, true, false},
        Case{SERIAL, PARALLEL, true, true}, Case{SERIAL, PARALLEL, false, false},
        Case{PARALLEL, VECTORIZED, false, false}, Case{PARALLEL, VECTORIZED, true, false}}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {4});
    const uint32_t i = p.Var("i");
    const uint32_t j = p.Var("j");
    Stmt store = b::Store(out, p.V(j), {p.V(c.by_inner ? j : i)});
    p.Add(b::For(i, C(0), C(4), c.outer, {b::For(j, C(0), C(4), c.inner, {store})}));
    EXPECT_EQ(p.Run().status(), c.defined ? Interpretation::DEFINED : Interpretation::UNDEFINED)
        << c.outer << " " << c.inner << " " << c.by_inner;
  }
}

TEST(Race, AReductionOverAParallelLoop) {
  Program p;
  const uint32_t out = p.Param("B", I32, {1});
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(0), C(4), PARALLEL,
               {b::Store(out, b::Binary(ADD, p.L(out, {C(0)}), C(1)), {C(0)})}));
  EXPECT_UNDEFINED(p.Run(), "conflict");
}

TEST(Race, OneLoopAfterTheOtherIsNoConflict) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  const uint32_t i = p.Var("i");
  const uint32_t j = p.Var("j");
  Expr mirrored = p.L(out, {b::Binary(SUB, C(3), p.V(j))});
  const uint32_t second = p.Param("D", I32, {4});
  p.Add(b::For(i, C(0), C(4), PARALLEL, {b::Store(out, p.V(i), {p.V(i)})}));
  p.Add(b::For(j, C(0), C(4), PARALLEL, {b::Store(second, mirrored, {p.V(j)})}));
  EXPECT_DEFINED(p.Run());
}

TEST(Race, InAPassResultToo) {
  Program p;
  const uint32_t out = p.Param("B", I32, {1});
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(0), C(4), PARALLEL, {b::Store(out, p.V(i), {C(0)})}));
  EXPECT_UNDEFINED(p.RunAsResult(), "conflict");
}

// The detector against its definition: random trees of loops and accesses, and for each pair of
// accesses whether they are in different iterations of the same run.
TEST(Race, DetectorAgreesWithItsDefinition) {
  struct Access {
    std::vector<std::pair<int, int>> path;  // (run, iteration)
    bool is_write;
  };
  uint64_t state = 7;
  const auto pick = [&state](uint64_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % n;
  };
  int conflicts = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    interp::RaceDetector detector;
    interp::Stamp stamp;
    std::vector<Access> accesses;
    std::vector<std::pair<int, int>> path;
    int runs = 0;
    for (int step = 0; step < 14; ++step) {
      const uint64_t choice = pick(6);
      if (choice == 0 && path.size() < 3) {
        detector.EnterLoop();
        path.emplace_back(++runs, 0);
      } else if (choice == 1 && !path.empty()) {
        detector.LeaveLoop();
        path.pop_back();
      } else if (choice <= 3 && !path.empty()) {
        detector.NextIteration();
        ++path.back().second;
      } else if (!path.empty()) {
        const bool is_write = pick(4) == 0;
        const auto clashes = [&](const Access& other) {
          if (!is_write && !other.is_write) return false;
          for (size_t k = 0; k < std::min(path.size(), other.path.size()); ++k) {
            if (path[k] == other.path[k]) continue;
            return path[k].first == other.path[k].first;
          }
          return false;
        };
        const bool expected = std::any_of(accesses.begin(), accesses.end(), clashes);
        const bool found = is_write ? detector.OnWrite(&stamp) : detector.OnRead(&stamp);
        ASSERT_EQ(found, expected) << "trial " << trial << ", step " << step;
        if (found) {
          ++conflicts;
          break;
        }
        accesses.push_back({path, is_write});
      }
    }
  }
  EXPECT_GT(conflicts, 300);
}

}  // namespace
}  // namespace irate
