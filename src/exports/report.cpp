#include "exports/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/notes.h"
#include "base/result.h"
#include "exports/base64.h"
#include "exports/report_style.h"
#include "proof/certificate.h"
#include "recipe/recipe.h"

namespace vf {

namespace {

using Out = std::string;

constexpr double kWalkMps = 3;  ///< the pace of every duration on the page

template <class... Args>
void put(Out& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Text of authors is untrusted: nothing of it may become markup.
std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// 1234567 -> "1 234 567", with narrow no-break spaces.
std::string grouped(std::uint64_t value) {
  const std::string digits = fmt::format("{}", value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += "\u202F";
    out += digits[i];
  }
  return out;
}

std::string seconds_text(double s) {
  if (s < 0.0995) return fmt::format("{:.1f} ms", s * 1000);
  if (s < 0.9995) return fmt::format("{:.0f} ms", s * 1000);
  if (s < 60) return fmt::format("{:.1f} s", s);
  return fmt::format("{} min {:02} s", static_cast<int>(s) / 60, static_cast<int>(s) % 60);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "–";
  const double p = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return p >= 10 || part == 0 ? fmt::format("{:.0f} %", p) : fmt::format("{:.1f} %", p);
}

std::string css_color(const Color& linear) {
  const auto channel = [](float v) {
    const float s = v <= 0.0031308F ? v * 12.92F : 1.055F * std::pow(v, 1.0F / 2.4F) - 0.055F;
    return std::lround(std::clamp(s, 0.0F, 1.0F) * 255.0F);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(linear[0]), channel(linear[1]), channel(linear[2]));
}

std::string image(const ReportPicture& picture, std::string_view extra = {}) {
  return fmt::format("<img src=\"data:image/png;base64,{}\" width=\"{}\" height=\"{}\" alt=\"{}\"{}>",
                     to_base64(picture.png), picture.width, picture.height,
                     escaped(picture.caption.empty() ? picture.name : picture.caption), extra);
}

/// A picture that a click opens over the whole window, and a second click closes: only links and :target.
void put_figure(Out& out, const ReportPicture& picture, const std::string& id, std::string_view caption_html,
                std::string_view back, std::string_view classes = {}) {
  put(out,
      "<figure id=\"{}\"{}><a class=\"zoom\" href=\"#{}\">{}</a><a class=\"close\" href=\"#{}\">Close</a>",
      id, classes.empty() ? "" : fmt::format(" class=\"{}\"", classes), id, image(picture), back);
  put(out, "<figcaption>{}</figcaption></figure>\n", caption_html);
}

ProofCounts total_counts(const ReportStratum& stratum) {
  ProofCounts sum;
  for (const ReportProofRow& row : stratum.proof) {
    sum.tiles += row.counts.tiles;
    sum.solid += row.counts.solid;
    sum.air += row.counts.air;
    sum.evaluated += row.counts.evaluated;
    sum.wasted += row.counts.wasted;
    sum.unknown += row.counts.unknown;
    sum.samples += row.counts.samples;
  }
  return sum;
}

std::uint64_t bricks_of(const ProofCounts& c) {
  return c.solid + c.air + c.evaluated;
}

std::string type_name(const Recipe& recipe) {
  return recipe.name.empty() ? recipe.id : recipe.name;
}

/// With a real minus.
std::string signed_text(float v) {
  return fmt::format("{}{:.3g}", v < 0 ? "−" : "", std::abs(v));
}

/// "-412" for the reader: a real minus, no decimals.
std::string depth_text(double z_m) {
  return z_m < -0.5 ? fmt::format("−{:.0f} m", -z_m) : fmt::format("{:.0f} m", std::abs(z_m));
}

void put_head(Out& out, const Report& report) {
  put(out,
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"dark\">\n<meta name=\"generator\" content=\"{}\">\n<title>{}, "
      "seed {}</title>\n"
      "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 "
      "8'%3E"
      "%3Crect width='8' height='8' rx='1.6' fill='%23171513'/%3E%3Cpath d='M1 5c2-3 4 1 6-2v4H1z' "
      "fill='%23e0a458'/%3E"
      "%3C/svg%3E\">\n<style>{}</style>\n</head>\n<body>\n",
      escaped(report.engine), escaped(report.title), report.seed.value, report_style());
}

std::string lede(const Report& report) {
  double depth = 0;
  for (const ReportStratum& s : report.strata) depth = std::max(depth, s.height_m - s.top_z_m);
  if (report.strata.size() == 1) {
    return fmt::format(
        "One stratum, {:.0f} m from seal to seal, without end in any direction. Grown from seed {}, "
        "the same bit for bit wherever it is made.",
        depth, report.seed.value);
  }
  return fmt::format(
      "{} strata, {:.0f} m deep, each without end in every direction. Grown from seed {}, the same bit for "
      "bit wherever it is made.",
      report.strata.size(), depth, report.seed.value);
}

void put_hero(Out& out, const Report& report) {
  put(out, "<header class=\"hero\">");
  if (!report.hero.png.empty()) out += image(report.hero);
  put(out,
      "<div class=\"hero-text\"><p class=\"brand\">VoxelForge</p><h1>{}</h1><p "
      "class=\"lede\">{}</p></div></header>\n",
      escaped(report.title), lede(report));
}

void put_key_figures(Out& out, const Report& report) {
  ProofCounts all;
  double seconds = 0;
  for (const ReportStratum& s : report.strata) {
    all += total_counts(s);
    for (const ReportProofRow& row : s.proof) seconds += row.seconds;
  }
  const std::uint64_t bricks = bricks_of(all);
  const auto figure = [&](const std::string& value, std::string_view what) {
    put(out, "<div><dt>{}</dt><dd>{}</dd></div>", what, value);
  };
  out += "<dl class=\"figures\">";
  figure(grouped(bricks), "bricks of 8 × 8 × 8 voxels in view, over all strata");
  figure(percent(all.solid + all.air, bricks), "of them proven all rock or all air without a sample");
  figure(percent(all.wasted, all.evaluated), "of the evaluated bricks hold no surface after all");
  figure(grouped(all.unknown), "bricks without a bound");
  figure(seconds_text(seconds), "to prove and evaluate every view, one after the other");
  out += "</dl>\n";
}

void put_stack(Out& out, const Report& report) {
  out += "<nav class=\"stack\" aria-label=\"The stack\"><h3>The stack</h3><div class=\"column\">\n";
  for (const ReportStratum& s : report.strata) {
    put(out, "<a class=\"layer\" href=\"#s{}\" style=\"--h:{:.0f}\">", s.index, s.height_m);
    if (!s.strip.png.empty()) out += image(s.strip);
    put(out, "<span>{}<em>{}</em></span></a>\n", escaped(type_name(*s.recipe)), depth_text(s.top_z_m));
  }
  out +=
      "</div><p class=\"column again\">Below, the stack begins anew with fresh seeds, without "
      "end.</p></nav>\n";
}

void put_swatches(Out& out, const Recipe& recipe) {
  if (recipe.materials.empty()) return;
  out += "<div class=\"swatches\">";
  for (const Material& m : recipe.materials) {
    put(out, "<i title=\"{}\" style=\"background:linear-gradient(135deg,{} 50%,{} 50%)\"></i>",
        escaped(m.name), css_color(m.color), css_color(m.color2));
  }
  out += "</div>";
}

void put_gallery(Out& out, const ReportStratum& s) {
  if (s.pictures.empty()) return;
  out += "<div class=\"gallery\">\n";
  for (std::size_t i = 0; i < s.pictures.size(); ++i) {
    const ReportPicture& p = s.pictures[i];
    const std::string caption =
        p.caption.empty() ? fmt::format("<b>{}</b>", escaped(p.name)) : escaped(p.caption);
    put_figure(out, p, fmt::format("s{}-view-{}", s.index, i + 1), caption, fmt::format("s{}", s.index));
  }
  out += "</div>\n";
}

void put_facts(Out& out, const ReportStratum& s) {
  const Recipe& r = *s.recipe;
  const auto row = [&](std::string_view what, const std::string& value) {
    put(out, "<dt>{}</dt><dd>{}</dd>", what, value);
  };
  out += "<div class=\"facts\"><h3>Facts</h3><dl>";
  row("Content height", fmt::format("{:.0f} m, in {:.0f} m with its seals", r.height_m, s.height_m));
  row("Family", escaped(r.family));
  if (!r.tags.empty()) row("Tags", escaped(fmt::format("{}", fmt::join(r.tags, ", "))));
  row("Density",
      fmt::format("proven within {} … {} m", signed_text(s.facts.range.lo), signed_text(s.facts.range.hi)));
  row("Slope of the density",
      fmt::format("proven ≤ {:.3g}, declared ≤ {:.3g}", s.facts.gradient_bound, s.facts.declared_bound));
  row("View", fmt::format("{:.0f} m, near ring {:.0f} m", r.view.view_m, r.view.near_m));
  row("Sound",
      fmt::format("{:.1f} s of reverberation{}", r.sound.reverberation_s,
                  r.sound.tags.empty() ? "" : escaped(fmt::format(": {}", fmt::join(r.sound.tags, ", ")))));
  row("Type", fmt::format("<code>{}</code>, version {}", escaped(r.id), r.version));
  if (!s.density_digest.empty())
    row("Density digest", fmt::format("<code>{}</code>", escaped(s.density_digest)));
  out += "</dl></div>\n";
}

void put_maps(Out& out, const ReportStratum& s) {
  out += "<div class=\"maps\">\n";
  const std::string back = fmt::format("s{}", s.index);
  if (!s.plan.png.empty()) {
    put_figure(out, s.plan, back + "-plan", "<b>Plan.</b> " + escaped(s.plan.caption), back);
  }
  put_facts(out, s);
  if (!s.section.png.empty()) {
    put_figure(out, s.section, back + "-section", "<b>Section.</b> " + escaped(s.section.caption), back,
               "wide");
  }
  out += "</div>\n";
}

std::string walk_text(double metres) {
  const int s = static_cast<int>(std::lround(metres / kWalkMps));
  return s < 60 ? fmt::format("{} s", s) : fmt::format("{}:{:02} min", s / 60, s % 60);
}

void put_route(Out& out, const ReportRoute& route) {
  if (route.ways.empty()) return;
  out += "<section class=\"block\"><h3>Ways</h3><div class=\"scroll profile\">" + route_svg(route) +
         "</div><p class=\"legend\"><span><i class=\"flat\"></i>below 4°</span><span><i "
         "class=\"easy\"></i>below 9°</span><span><i class=\"steep\"></i>up to 15°, the contract's "
         "most</span><span>Heights at twice the scale of lengths</span></p>"
         "<div class=\"scroll\"><table><thead><tr><th>Way, in this stratum</th><th class=\"n\">Length</th>"
         "<th class=\"n\">At 3 m/s</th><th class=\"n\">Steepest over 1 m</th>"
         "<th class=\"n\">3 × 3 m of air</th></tr></thead><tbody>\n";
  for (const ReportWay& w : route.ways)
    put(out,
        "<tr><td>{}</td><td class=\"n\">{:.0f} m</td><td class=\"n\">{}</td><td class=\"n\">{:.1f}°</td>"
        "<td class=\"n\">{} of {} sections</td></tr>\n",
        escaped(w.name), w.length_m, walk_text(w.length_m), w.steepest_deg, grouped(w.clear),
        grouped(w.sections));
  out += "</tbody></table></div></section>\n";
}

void put_parameters(Out& out, const Recipe& recipe) {
  if (recipe.params.empty()) return;
  out +=
      "<section class=\"block\"><h3>Parameters</h3><div class=\"scroll\"><table "
      "class=\"stackable\"><thead><tr><th>Name</th>"
      "<th class=\"n\">Value</th><th>Range</th><th></th><th>What it does</th></tr></thead><tbody>\n";
  for (const Parameter& p : recipe.params) {
    const double span = p.max - p.min;
    const double at = span > 0 ? std::clamp(100 * (p.value - p.min) / span, 0.0, 100.0) : 50;
    const std::string unit = p.unit.empty() ? "" : " " + escaped(p.unit);
    const bool changed = p.value < p.default_value || p.value > p.default_value;
    put(out,
        "<tr><td class=\"name\">{}</td><td class=\"n{}\">{:g}{}</td><td class=\"n dim\" data-l=\"from\">{:g} "
        "… {:g}</td>"
        "<td><div class=\"track\"><i style=\"left:{:.1f}%\"></i></div></td><td>{}</td></tr>\n",
        escaped(p.name), changed ? " set" : "", p.value, unit, p.min, p.max, at, escaped(p.help));
  }
  out += "</tbody></table></div></section>\n";
}

void put_bar(Out& out, const ProofCounts& c) {
  const double whole = static_cast<double>(std::max<std::uint64_t>(bricks_of(c), 1)) / 100;
  const std::uint64_t wasted = std::min(c.wasted, c.evaluated);
  out += "<div class=\"bar\">";
  const auto part = [&](const char* kind, std::uint64_t n) {
    if (n > 0) put(out, "<i class=\"{}\" style=\"width:{:.2f}%\"></i>", kind, static_cast<double>(n) / whole);
  };
  part("rock", c.solid);
  part("work", c.evaluated - wasted);
  part("waste", wasted);
  part("air", c.air);
  out += "</div>";
}

void put_proof(Out& out, const ReportStratum& s) {
  if (s.proof.empty()) return;
  out +=
      "<section class=\"block\"><h3>Proof</h3><div class=\"scroll\"><table><thead><tr><th>Ring</th><th "
      "class=\"n\">Bricks"
      "</th><th class=\"n\">Rock</th><th class=\"n\">Air</th><th class=\"n\">Evaluated</th><th "
      "class=\"n\">Wasted</th>"
      "<th class=\"n\">Unknown</th><th class=\"n\">Time</th><th></th></tr></thead><tbody>\n";
  for (const ReportProofRow& row : s.proof) {
    const ProofCounts& c = row.counts;
    put(out,
        "<tr><td>to {:.0f} m <span class=\"dim\">{:g} m voxels</span></td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td>",
        row.radius_m, voxel_m(row.level), grouped(bricks_of(c)), grouped(c.solid), grouped(c.air),
        grouped(c.evaluated), grouped(c.wasted),
        c.wasted == 0 ? "" : fmt::format(" <span class=\"dim\">{}</span>", percent(c.wasted, c.evaluated)),
        grouped(c.unknown), seconds_text(row.seconds));
    put_bar(out, c);
    out += "</td></tr>\n";
  }
  out +=
      "</tbody></table></div><p class=\"legend\"><span><i class=\"rock\"></i>proven rock</span><span><i "
      "class=\"work\"></i>"
      "evaluated, holds the surface</span><span><i class=\"waste\"></i>evaluated for nothing</span><span><i "
      "class=\"air\">"
      "</i>proven air</span></p></section>\n";
}

void put_notes(Out& out, const Notes& notes) {
  if (notes.empty()) return;
  out += "<section class=\"block\"><h3>Notes to the author</h3><ul class=\"notes\">";
  for (const Note& note : notes) {
    const std::string where = to_string(note.place);
    put(out, "<li>{}{}</li>", where.empty() ? "" : fmt::format("<code>{}</code> ", escaped(where)),
        escaped(note.message));
  }
  out += "</ul></section>\n";
}

void put_stratum(Out& out, const ReportStratum& s) {
  const Recipe& r = *s.recipe;
  put(out,
      "<article id=\"s{}\"><div class=\"head\"><div><p class=\"kicker\">Stratum {} · {} to {}</p><h2>{}</h2>",
      s.index, s.index, depth_text(s.top_z_m), depth_text(s.top_z_m - s.height_m), escaped(type_name(r)));
  if (!r.description.empty()) put(out, "<p class=\"about\">{}</p>", escaped(r.description));
  out += "</div>";
  put_swatches(out, r);
  out += "</div>\n";
  put_gallery(out, s);
  put_maps(out, s);
  put_route(out, s.route);
  put_parameters(out, r);
  put_proof(out, s);
  put_notes(out, s.notes);
  out += "</article>\n";
}

void put_made(Out& out, const Report& report) {
  put(out, "<footer class=\"made\"><div><h3>Make it again</h3><pre>{}</pre>", escaped(report.command));
  out +=
      "<section class=\"block\"><h3>Time</h3><div class=\"scroll\"><table "
      "class=\"stackable\"><thead><tr><th>What</th>"
      "<th class=\"n\">Time</th><th>Inside the clock</th></tr></thead><tbody>\n";
  for (const ReportTiming& t : report.timings) {
    put(out, "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"dim\">{}</td></tr>\n", escaped(t.what),
        seconds_text(t.seconds), escaped(t.scope));
  }
  put(out,
      "</tbody></table></div></section><p class=\"fine\">{}, {} worker{}, {} lanes. Times belong to one "
      "machine and one run; "
      "everything else on this page is the same wherever this world is made.</p></div></footer>\n",
      escaped(report.engine), report.workers, report.workers == 1 ? "" : "s", escaped(report.simd));
}

}  // namespace

std::string report_html(const Report& report) {
  Out out;
  put_head(out, report);
  put_hero(out, report);
  put_key_figures(out, report);
  out += "<div class=\"page\">\n";
  put_stack(out, report);
  out += "<main>\n";
  for (const ReportStratum& s : report.strata) put_stratum(out, s);
  out += "</main>\n</div>\n";
  put_made(out, report);
  out += "</body>\n</html>\n";
  return out;
}

}  // namespace vf
