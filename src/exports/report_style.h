// The look of report.html.
#pragma once

#include <string_view>

namespace vf {

/// The content of the page's one <style> element.
[[nodiscard]] std::string_view report_style();

}  // namespace vf
