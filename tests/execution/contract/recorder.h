// Collects what a part of the runtime reports.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "execution/contract/report.h"

namespace irate::contract {

class Recorder {
 public:
  ReportSink Sink() {
    return [this](ContractReport report) {
      std::lock_guard lock(mutex_);
      reports_.push_back(std::move(report));
    };
  }
  std::vector<Clause> Clauses() const {
    std::vector<Clause> clauses;
    for (const ContractReport& report : reports_) clauses.push_back(report.clause);
    return clauses;
  }
  const std::vector<ContractReport>& reports() const { return reports_; }
  std::string Text() const {
    std::string text;
    for (const ContractReport& report : reports_) {
      text += std::string(ClauseName(report.clause)) + ": " + report.text + "\n";
    }
    return text;
  }

 private:
  std::mutex mutex_;
  std::vector<ContractReport> reports_;
};

}  // namespace irate::contract
