// Temporary: each pass at each stage of the default pipeline.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "execution/harness.h"
#include "fmt/format.h"
#include "generators/generator.h"
#include "nlohmann/json.hpp"
#include "oracles/oracle.h"

using namespace irate;
int main(int argc, char** argv) {
  const int modules = std::atoi(argv[1]);
  const std::string what = argv[2];  // insert, drop
  std::set<std::string> only(argv + 3, argv + argc);
  HarnessOptions options;
  options.worker.target = "tvm";
  options.worker.executable = "build/release/bin/irate-worker";
  if (const char* e = std::getenv("IRATE_WORKER")) options.worker.executable = e;
  options.worker.deadline = std::chrono::milliseconds(5000);
  options.target.run_native = std::getenv("NATIVE") != nullptr;
  auto harness = Harness::Create(options);
  if (!harness.ok()) { std::cerr << harness.status() << "\n"; return 3; }
  TargetSpec spec; spec.set_target("tvm"); spec.set_options(R"({"kind":"llvm"})");
  const PassSequence base = (*harness)->worker().DefaultPasses(spec).value();
  nlohmann::json map = nlohmann::json::parse(std::ifstream("targets/tvm/pass_map.json"));
  std::vector<Case> cases;
  std::vector<std::set<std::string>> known;
  for (int i = 0; static_cast<int>(cases.size()) < modules; ++i) {
    Case c = GenerateCase(CaseSeed(77, i));
    *c.mutable_passes() = base;
    auto o = (*harness)->Execute(c);
    if (!o.ok() || o->reference().status() != Interpretation::DEFINED) continue;
    if (o->variants(0).failure().kind() != Failure::NONE) continue;
    std::set<std::string> k;
    for (const Finding& f : JudgeAll(c, *o)) k.insert(f.signature());
    if (!k.empty()) continue;
    cases.push_back(c); known.push_back(k);
  }
  auto run = [&](const PassSequence& seq, const std::string& label) {
    std::map<std::string, int> count; int changed = 0, second = 0, fail = 0, ran = 0;
    std::map<std::string, int> example;
    for (size_t i = 0; i < cases.size(); ++i) {
      Case c = cases[i];
      *c.mutable_passes() = seq;
      auto o = (*harness)->Execute(c);
      if (!o.ok()) { ++count["error " + std::string(o.status().message())]; continue; }
      for (const Finding& f : JudgeAll(c, *o)) { ++count[f.signature()]; example.try_emplace(f.signature(), i); }
      const auto& v = o->variants(0);
      if (v.failure().kind() == Failure::DIAGNOSTIC) { std::string s = "DIAG " + v.failure().pass() + " " + v.failure().message().substr(0, 150); ++count[s]; example.try_emplace(s, i);}
      if (v.outputs_size()) ++ran;
      for (const auto& s : v.steps()) if (s.outcome() == StepObservation::CHANGED && label.ends_with(s.pass())) ++changed;
      (void)second; (void)fail;
    }
    fmt::print("{:60} changed {} ran {}", label, changed, ran);
    for (auto& [s, n] : count) fmt::print("\n      {} x {} (module {})", n, s, example[s]);
    fmt::print("\n"); fflush(stdout);
  };
  if (what == "drop") {
    for (int i = 0; i < base.steps_size(); ++i) {
      PassSequence seq = base; seq.mutable_steps()->DeleteSubrange(i, 1);
      if (!only.empty() && !only.contains(base.steps(i).name())) continue;
      run(seq, fmt::format("without {} {}", i, base.steps(i).name()));
    }
    return 0;
  }
  const std::set<std::string> movers = {"tirx.transform.BindTarget", "s_tir.transform.LowerInitBlock", "s_tir.transform.ConvertBlocksToOpaque", "s_tir.transform.LowerMatchBuffer", "s_tir.transform.LowerOpaqueBlock", "tirx.transform.FlattenBuffer", "tirx.transform.NarrowDataType", "tirx.transform.VectorizeLoop","s_tir.transform.InjectVirtualThread", "tirx.transform.StorageRewrite","tirx.transform.UnrollLoop","tirx.transform.CommonSubexprElim", "tirx.transform.SplitHostDevice", "tirx.transform.MakePackedAPI", "tirx.transform.BF16StorageLegalize", "tirx.transform.LowerTVMBuiltin", "tirx.transform.LowerIntrin"};
  for (auto& p : map["passes"]) {
    const std::string name = p["name"];
    if (name == "tirx.transform.BindTarget") continue;
    if (!only.empty() && !only.contains(name)) continue;
    nlohmann::json args = p.value("args", nlohmann::json::array({nlohmann::json::array()}));
    for (auto& a : args) {
      PassStep step; step.set_name(name);
      for (auto& x : a) {
        if (x.is_null()) continue;
        Expr* e = step.add_args();
        if (x.is_string()) { e->set_op(STRING); e->set_name(x.get<std::string>()); }
        else if (x.is_boolean()) { e->set_op(CONST); e->set_type(BOOL); e->set_int_value(x.get<bool>()); }
        else { e->set_op(CONST); e->set_type(I32); e->set_int_value(x.get<int>()); }
      }
      for (int i = 0; i < base.steps_size(); ++i) {
        if (!movers.contains(base.steps(i).name())) continue;
        PassSequence seq;
        *seq.mutable_config() = base.config();
        for (int k = 0; k < base.steps_size(); ++k) {
          *seq.add_steps() = base.steps(k);
          if (k == i) *seq.add_steps() = step;
        }
        std::string b = base.steps(i).name();
        run(seq, fmt::format("after {} {}", b.substr(b.rfind('.') + 1), name));
      }
    }
  }
}
