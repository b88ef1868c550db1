#include "exports/obj.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exports/models_for_tests.h"
#include "exports/scene_model.h"

namespace vf {
namespace {

/// What a plain reader makes of the file.
struct Read {
  std::vector<double> v, vt, vn;
  std::vector<std::string> used;
  std::string library;
  std::size_t faces = 0;
  std::size_t out_of_range = 0;
};
Read read(const std::string& obj) {
  Read out;
  std::istringstream lines(obj);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    std::vector<double>* numbers = word == "v"    ? &out.v
                                   : word == "vt" ? &out.vt
                                   : word == "vn" ? &out.vn
                                                  : nullptr;
    if (numbers != nullptr)
      for (double x = 0; words >> x;) numbers->push_back(x);
    if (word == "usemtl") words >> word, out.used.push_back(word);
    if (word == "mtllib") words >> out.library;
    if (word == "f") {
      ++out.faces;
      for (int corner = 0; corner < 3; ++corner) {
        std::size_t a = 0, b = 0, c = 0;
        char slash = 0;
        words >> a >> slash >> b >> slash >> c;
        if (a < 1 || a > out.v.size() / 3 || b > out.vt.size() / 2 || c > out.vn.size() / 3)
          ++out.out_of_range;
      }
    }
  }
  return out;
}

TEST(Obj, IsWhole) {
  const ObjFiles files = encode_obj(test::small_scene(16), "hall");
  const Read r = read(files.obj);
  EXPECT_EQ(r.v.size(), 8U * 3);
  EXPECT_EQ(r.vt.size(), 8U * 2);
  EXPECT_EQ(r.vn.size(), 8U * 3);
  EXPECT_EQ(r.faces, 4U);
  EXPECT_EQ(r.out_of_range, 0U);
  EXPECT_EQ(r.library, "hall.mtl");
  EXPECT_EQ(r.used, (std::vector<std::string>{"moss_wet_", "lamp"}));
  for (const double x : r.v) EXPECT_TRUE(std::isfinite(x));
  EXPECT_EQ(r.v[1], 1 - 56);  // the second stratum lies 56 m below the origin
}

TEST(Obj, EveryMaterialAndPictureIsThere) {
  const ObjFiles files = encode_obj(test::small_scene(16), "hall");
  std::set<std::string> names;
  for (const NamedFile& f : files.beside) names.insert(f.name);
  EXPECT_EQ(names,
            (std::set<std::string>{"hall.mtl", "hall_moss_wet__albedo.png", "hall_moss_wet__normal.png"}));
  const auto& bytes = files.beside.back().bytes;
  const std::string mtl(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const char* text : {"newmtl moss_wet_\n", "newmtl lamp\n", "map_Kd hall_moss_wet__albedo.png\n",
                           "norm hall_moss_wet__normal.png\n", "Ke 4 2 1\n"})
    EXPECT_NE(mtl.find(text), std::string::npos) << text;
}

TEST(Obj, EqualNamesStayApart) {
  SceneModel scene = test::small_scene();
  scene.strata.push_back(scene.strata.front());
  const Read r = read(encode_obj(scene, "twice").obj);
  EXPECT_EQ(r.used, (std::vector<std::string>{"moss_wet_", "lamp", "moss_wet__2", "lamp_2"}));
  EXPECT_EQ(r.out_of_range, 0U);
}

}  // namespace
}  // namespace vf
