#include "cli/bench_view_share.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/notes.h"
#include "base/result.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/view_input.h"
#include "cli/world_input.h"
#include "mesh/view_mesh.h"
#include "proof/certificate.h"
#include "proof/tile_evaluator.h"
#include "proof/view_region.h"
#include "proof/waste.h"

namespace vf::cli {

namespace {

/// Of all tiles, with the bricks of `wanted` evaluated where they are not proven.
double seconds_of_densities(const ViewField& view, const TileOptions& options, unsigned workers,
                            BrickMask wanted) {
  std::vector<std::unique_ptr<TileEvaluator>> crew(workers);
  std::vector<TileDensity> densities(view.tiles.size());
  const Stopwatch clock;
  for_tiles_by_column(view.tiles, workers, [&](std::size_t i, unsigned worker) {
    if (!crew[worker]) crew[worker] = std::make_unique<TileEvaluator>(view.field, options);
    ProofCounts ignored;
    crew[worker]->evaluate(view.tiles[i], densities[i], ignored, wanted);
  });
  return clock.seconds();
}

}  // namespace

Result<ViewShare> measure_view_share(const Options& options, const std::string& name, unsigned workers) {
  std::vector<double> open, prove, evaluate, mesh;
  const TileOptions tiles{options.simd, true};
  ViewShare share;
  for (unsigned run = 0; run < options.runs; ++run) {
    const Stopwatch opening;
    Notes notes;  // `check` shows them
    const Result<InputWorld> world = open_input(name, options, notes);
    if (!world) return world.error();
    const InputStratum where = input_stratum(*world, options.stratum);
    const Result<ViewPlace> place = default_view_place(where);
    if (!place) return place.error();
    const Result<ViewField> view = open_mesh_view(where, *place);
    if (!view) return view.error();
    open.push_back(opening.seconds());
    prove.push_back(seconds_of_densities(*view, tiles, workers, 0));
    evaluate.push_back(seconds_of_densities(*view, tiles, workers, kAllBricks));
    const Stopwatch meshing;
    (void)mesh_view(view->field, view->tiles, tiles, workers);
    mesh.push_back(meshing.seconds());
    if (run > 0) continue;
    const ProofCounts counts = measure_waste(view->field, view->tiles, tiles, workers);
    share.evaluated = counts.evaluated;
    share.wasted = counts.wasted;
  }
  share.open_s = median(open);
  share.prove_s = median(prove);
  share.evaluate_s = median(evaluate);
  share.mesh_s = median(mesh);
  return share;
}

}  // namespace vf::cli
