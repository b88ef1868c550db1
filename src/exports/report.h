// In: what a run of the pipeline made and measured. Out: report.html, one page that needs nothing but itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/notes.h"
#include "exports/route_chart.h"
#include "field/builder.h"
#include "proof/certificate.h"
#include "recipe/recipe.h"

namespace vf {

struct ReportPicture {
  std::string name;
  std::string caption;
  int width = 0, height = 0;   ///< [pixels]
  std::vector<std::byte> png;  ///< the whole file; empty when there is no picture
};

/// One ring of the view: the bricks of one level.
struct ReportProofRow {
  int level = 0;
  float radius_m = 0;  ///< outer radius of the ring
  ProofCounts counts;
  double seconds = 0;
};

struct ReportStratum {
  std::int64_t index = 0;
  std::shared_ptr<const Recipe> recipe;
  double top_z_m = 0;   ///< world z; 0 for stratum 0, negative below
  double height_m = 0;  ///< with both bands
  FieldFacts facts;
  std::vector<ReportPicture> pictures;  ///< in the order of the recipe's viewpoints
  ReportPicture plan, section;
  ReportPicture strip;  ///< a narrow section for the stack
  ReportRoute route;    ///< what one walks on in the sector of the charts
  std::vector<ReportProofRow> proof;
  std::string density_digest;  ///< hex
  Notes notes;
};

struct ReportTiming {
  std::string what;
  std::string scope;  ///< exactly what was and was not inside the clock
  double seconds = 0;
};

struct Report {
  std::string title;
  std::string world;  ///< as it was asked for
  Seed seed;
  std::string engine;   ///< name and version
  std::string command;  ///< makes this again
  std::string simd;
  unsigned workers = 1;
  ReportPicture hero;
  std::vector<ReportStratum> strata;  ///< from the top
  std::vector<ReportTiming> timings;
};

/// The page as UTF-8. Pure.
[[nodiscard]] std::string report_html(const Report& report);

}  // namespace vf
