#include "view/density_store.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "proof/certificate.h"

namespace vf {

bool TileKeyOrder::operator()(const TileKey& a, const TileKey& b) const {
  return std::tie(a.level, a.tx, a.ty, a.tz) < std::tie(b.level, b.tx, b.ty, b.tz);
}

std::shared_ptr<const TileDensity> DensityStore::get(const TileKey& key, BrickMask wanted,
                                                     const Evaluate& evaluate) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& known = entries_[key];
    if (known == nullptr) {
      known = std::make_shared<Entry>();
      recent_.push_front(key);
      known->recent = recent_.begin();
    } else {
      recent_.splice(recent_.begin(), recent_, known->recent);
    }
    entry = known;
  }
  const std::lock_guard making(entry->mutex);
  if (entry->made && (wanted & ~entry->have) == 0) return entry->density;
  auto density = std::make_shared<TileDensity>();
  evaluate(key, wanted | entry->have, *density);
  density->values.shrink_to_fit();
  entry->have |= wanted;
  entry->made = true;
  entry->density = density;
  const std::size_t bytes = sizeof(TileDensity) + density->values.capacity() * sizeof(float);
  const std::lock_guard lock(mutex_);
  // It may have been forgotten in the meantime: then this is the last that is heard of it.
  if (const auto known = entries_.find(key); known != entries_.end() && known->second == entry) {
    bytes_ += bytes - entry->bytes;
    entry->bytes = bytes;
    trim();
  }
  return density;
}

void DensityStore::trim() {
  while (bytes_ > budget_ && recent_.size() > 1) {
    const auto last = entries_.find(recent_.back());
    bytes_ -= last->second->bytes;
    entries_.erase(last);
    recent_.pop_back();
  }
}

void DensityStore::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  recent_.clear();
  bytes_ = 0;
}

std::size_t DensityStore::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace vf
