#include "exports/report.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "base/notes.h"
#include "proof/certificate.h"
#include "recipe/recipe.h"

namespace vf {
namespace {

Report small_report() {
  auto recipe = std::make_shared<Recipe>();
  recipe->id = "meadow";
  recipe->name = "Meadow <b>&";
  recipe->description = "\"Calm\" & 'flat'";
  recipe->height_m = 28;
  Parameter p;
  p.name = "amplitude";
  p.value = 3, p.default_value = 2.5, p.min = 1, p.max = 5;
  p.unit = "m";
  p.help = "<script>alert(1)</script>";
  recipe->params.push_back(p);
  Material m;
  m.name = "moss";
  m.color = {0, 1, 0};
  recipe->materials.push_back(m);

  ReportPicture picture{"first", "The <meadow>", 2, 1, {std::byte{1}, std::byte{2}, std::byte{3}}};
  ReportStratum stratum;
  stratum.recipe = recipe;
  stratum.height_m = 40;
  stratum.pictures = {picture};
  stratum.plan = picture;
  stratum.section = picture;
  stratum.strip = picture;
  ProofCounts counts;
  counts.solid = 60, counts.air = 20, counts.evaluated = 20, counts.wasted = 5;
  stratum.proof.push_back({0, 32, counts, 0.0123});
  stratum.notes.push_back({Severity::kWarning, {"m.toml", 3, 4}, "steep"});

  Report report;
  report.title = "Showcase";
  report.world = "worlds/showcase.toml";
  report.seed = {7};
  report.engine = "voxelforge 0.1.0";
  report.command = "voxelforge forge worlds/showcase.toml --seed 7";
  report.simd = "avx2";
  report.workers = 2;
  report.hero = picture;
  report.strata.push_back(stratum);
  report.timings.push_back({"Pictures", "render only", 61.2});
  return report;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Report, NeedsNothingButItself) {
  const std::string html = report_html(small_report());
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  for (const char* outside :
       {"src=\"http", "src=\"/", "href=\"http", "url(", "@import", "<script", "<link rel=\"style"}) {
    EXPECT_FALSE(holds(html, outside)) << outside;
  }
  EXPECT_TRUE(holds(html, "src=\"data:image/png;base64,AQID\""));
}

TEST(Report, ShowsTextOfAuthorsAsText) {
  const std::string html = report_html(small_report());
  EXPECT_FALSE(holds(html, "Meadow <b>"));
  EXPECT_TRUE(holds(html, "Meadow &lt;b&gt;&amp;"));
  EXPECT_TRUE(holds(html, "&quot;Calm&quot; &amp; &#39;flat&#39;"));
  EXPECT_TRUE(holds(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_TRUE(holds(html, "alt=\"The &lt;meadow&gt;\""));
}

TEST(Report, HasEveryTable) {
  const std::string html = report_html(small_report());
  EXPECT_TRUE(holds(html, "<h3>Parameters</h3>"));
  EXPECT_TRUE(holds(html, "<h3>Proof</h3>"));
  EXPECT_TRUE(holds(html, "<h3>Time</h3>"));
  EXPECT_TRUE(holds(html, "<code>m.toml:3:4</code> steep"));
  EXPECT_TRUE(holds(html, "12.3 ms"));
  EXPECT_TRUE(holds(html, "1 min 01 s"));
  EXPECT_TRUE(holds(html, "25 %"));
  EXPECT_TRUE(holds(html, "#00ff00"));
}

TEST(Report, ComesOutTheSameEachTime) {
  EXPECT_EQ(report_html(small_report()), report_html(small_report()));
}

}  // namespace
}  // namespace vf
