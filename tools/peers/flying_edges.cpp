// VTK's flying edges on a grid of raw floats: prints millions of triangles a second, one run a line.
//   flying_edges FILE EDGE RUNS [--normals]
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSMPTools.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: flying_edges FILE EDGE RUNS [--normals]\n");
    return 2;
  }
  const int edge = std::atoi(argv[2]);
  const int runs = std::atoi(argv[3]);
  const bool normals = argc > 4 && std::string(argv[4]) == "--normals";
  const auto count = static_cast<vtkIdType>(edge) * edge * edge;

  vtkNew<vtkFloatArray> values;
  values->SetNumberOfTuples(count);
  std::ifstream in(argv[1], std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(count) * static_cast<std::streamsize>(sizeof(float));
  if (edge < 2 || !in.read(reinterpret_cast<char*>(values->GetPointer(0)), bytes)) {
    std::fprintf(stderr, "flying_edges: %s does not hold %d^3 floats\n", argv[1], edge);
    return 2;
  }
  vtkNew<vtkImageData> image;
  image->SetDimensions(edge, edge, edge);
  image->SetSpacing(0.25, 0.25, 0.25);
  image->GetPointData()->SetScalars(values);

  vtkSMPTools::Initialize(1);
  for (int run = 0; run < runs; ++run) {
    vtkNew<vtkFlyingEdges3D> filter;
    filter->SetInputData(image);
    filter->SetValue(0, 0.0);
    filter->SetComputeNormals(normals);
    filter->SetComputeGradients(false);
    filter->SetComputeScalars(false);
    const auto start = std::chrono::steady_clock::now();
    filter->Update();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const auto triangles = static_cast<double>(filter->GetOutput()->GetNumberOfPolys());
    std::printf("%.3f Mtri/s, %.0f triangles\n", triangles / seconds.count() * 1e-6, triangles);
  }
}
