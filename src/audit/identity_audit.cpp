#include "audit/identity_audit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "base/tasks.h"
#include "plan/origin.h"
#include "plan/sector_plan.h"
#include "plan/snapshot.h"

namespace vf {

namespace {

struct Sector {
  std::int64_t x = 0, y = 0;
};

/// What a resolve gave: a snapshot, or the text of an error. Both must be the same every time.
struct Outcome {
  std::vector<std::byte> bytes;
  std::string error;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string name_of(const Sector& s) {
  return "sector " + std::to_string(s.x) + ", " + std::to_string(s.y);
}

class IdentityAuditor {
 public:
  IdentityAuditor(const PlanOrigin& origin, const ResolveSector& resolve, std::vector<Sector> sectors)
      : origin_(origin), resolve_(resolve), sectors_(std::move(sectors)) {
    for (const Sector& s : sectors_) first_.push_back(outcome_of(s));
  }

  void round_trip() {
    for (std::size_t i = 0; i < sectors_.size(); ++i) {
      if (!first_[i].error.empty()) {
        wrong_.push_back(name_of(sectors_[i]) + ": " + first_[i].error);
        continue;
      }
      const Result<SectorSnapshot> read = decode_snapshot(first_[i].bytes);
      if (!read) {
        wrong_.push_back(name_of(sectors_[i]) + ": " + read.error().message);
      } else if (encode_snapshot(*read) != first_[i].bytes) {
        wrong_.push_back(name_of(sectors_[i]) + ": read and written again, its snapshot has other bytes");
      }
    }
  }

  void backwards() {
    for (std::size_t i = sectors_.size(); i-- > 0;)
      if (outcome_of(sectors_[i]) != first_[i])
        wrong_.push_back(name_of(sectors_[i]) + ": other bytes when its neighbours are resolved before it");
  }

  void on_threads(unsigned workers) {
    constexpr std::size_t kRounds = 3;
    std::vector<std::size_t> order(sectors_.size() * kRounds);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
      return std::pair(hash_words({a}), a) < std::pair(hash_words({b}), b);
    });
    std::vector<std::uint8_t> differs(order.size());
    parallel_for(order.size(), workers, [&](std::size_t i, unsigned) {
      const std::size_t sector = order[i] % sectors_.size();
      differs[i] = outcome_of(sectors_[sector]) != first_[sector] ? 1 : 0;
    });
    for (std::size_t i = 0; i < order.size(); ++i)
      if (differs[i] != 0)
        wrong_.push_back(name_of(sectors_[order[i] % sectors_.size()]) + ": other bytes on " +
                         std::to_string(workers) + " threads in a mixed order");
  }

  std::vector<std::string> take() { return std::move(wrong_); }

 private:
  [[nodiscard]] Outcome outcome_of(const Sector& s) const {
    Result<SectorPlan> plan = resolve_(s.x, s.y);
    if (!plan) return {{}, plan.error().text()};
    return {encode_snapshot({origin_, *std::move(plan)}), {}};
  }

  const PlanOrigin& origin_;
  const ResolveSector& resolve_;
  std::vector<Sector> sectors_;
  std::vector<Outcome> first_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> audit_identity(const PlanOrigin& origin, const ResolveSector& resolve,
                                        std::int64_t sx, std::int64_t sy, unsigned workers) {
  std::vector<Sector> sectors;
  for (std::int64_t y = sy; y <= sy + 1; ++y)
    for (std::int64_t x = sx; x <= sx + 1; ++x) sectors.push_back({x, y});
  IdentityAuditor auditor(origin, resolve, std::move(sectors));
  auditor.round_trip();
  auditor.backwards();
  auditor.on_threads(workers);
  return auditor.take();
}

}  // namespace vf
