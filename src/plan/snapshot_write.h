// A plan -> the part of a snapshot that says what stands where.
#pragma once

#include "base/bytes.h"
#include "plan/sector_plan.h"

namespace vf {

/// The layout: place and tables of records, without the origin. Tables without records are left out, so that
/// a new kind of table changes no layout that has none of it.
void write_layout(const SectorPlan& plan, ByteWriter& out);

}  // namespace vf
