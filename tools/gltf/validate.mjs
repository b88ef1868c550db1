// node validate.mjs FILE.glb...: Khronos' glTF validator. Any error or warning ends in exit 1.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const validator = createRequire(import.meta.url)("gltf-validator");
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node validate.mjs FILE.glb...");
  process.exit(2);
}

let bad = 0;
for (const file of files) {
  const bytes = new Uint8Array(await readFile(file));
  const report = await validator.validateBytes(bytes, { uri: file, maxIssues: 1000 });
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  const { drawCallCount, totalVertexCount, totalTriangleCount } = report.info;
  console.log(
    `${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} remarks; ` +
      `${drawCallCount} draw calls, ${totalVertexCount} vertices, ${totalTriangleCount} triangles`,
  );
  for (const m of messages.filter((m) => m.severity <= 1).slice(0, 20)) console.log(`  ${m.code} ${m.pointer ?? ""}: ${m.message}`);
  for (const code of new Set(messages.filter((m) => m.severity > 1).map((m) => m.code))) console.log(`  remark: ${code}`);
  bad += numErrors + numWarnings;
  if (totalTriangleCount === 0) {
    console.log("  no triangles");
    bad += 1;
  }
}
process.exit(bad === 0 ? 0 : 1);
