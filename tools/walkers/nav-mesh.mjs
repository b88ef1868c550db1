// A corridor -> Recast's navigation mesh for one agent, in tiles along the line. The steps are those of Recast's own
// RecastDemo (Sample_TileMesh); nothing is tuned to our meshes.
import {
  NavMesh, NavMeshCreateParams, NavMeshParams, Raw, Recast, RecastBuildContext, TriangleAreasArray, TrianglesArray,
  VerticesArray, allocCompactHeightfield, allocContourSet, allocHeightfield, allocPolyMesh, allocPolyMeshDetail,
  buildCompactHeightfield, buildContours, buildDistanceField, buildPolyMesh, buildPolyMeshDetail, buildRegions,
  createHeightfield, createNavMeshData, erodeWalkableArea, filterLedgeSpans, filterLowHangingWalkableObstacles,
  filterWalkableLowHeightSpans, freeCompactHeightfield, freeContourSet, freeHeightfield, freePolyMesh,
  freePolyMeshDetail, markWalkableTriangles, rasterizeTriangles, statusFailed,
} from "@recast-navigation/core";

const TILE_M = 8; // about; whole cells
// Heights in which tiles are joined, twice this. The climb is already held by the cells: what lies beside a higher step is
// grown inward by the radius, so that it reaches no border. Borders are straight lines between their ends, and on bent
// ground those of two tiles differ by more than a climb.
const JOIN_M = 0.5;
const FREE_DATA = 1; // the navigation mesh owns its tiles' bytes
const REFERENCE_BITS = 22; // of 32 for tile and polygon; the others count how often a tile was replaced

/** Whole cells that hold a length; a length that is a whole number of cells but for rounding is that number. */
const cellsOver = (length, cell) => Math.ceil(length / cell - 1e-6);
const cellsUnder = (length, cell) => Math.floor(length / cell + 1e-6);

/** Tiles within `reach` of the points of a line, and for each the triangles that its cells and border touch. */
function trianglesOfTiles({ positions, indices }, points, reach, grid, border) {
  const tile = (v, origin) => Math.floor((v - origin) / grid.edge);
  const columns = tile(points.reduce((most, p) => Math.max(most, p[0]), -Infinity) + reach, grid.x) + 1;
  const tiles = new Map(); // by z * columns + x
  for (const [px, , pz] of points) {
    for (let z = tile(pz - reach, grid.z); z <= tile(pz + reach, grid.z); z += 1) {
      for (let x = tile(px - reach, grid.x); x <= tile(px + reach, grid.x); x += 1) {
        if (!tiles.has(z * columns + x)) tiles.set(z * columns + x, { x, z, triangles: [], low: Infinity, high: -Infinity });
      }
    }
  }
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
    const least = (k) => Math.min(positions[a + k], positions[b + k], positions[c + k]);
    const most = (k) => Math.max(positions[a + k], positions[b + k], positions[c + k]);
    const x0 = Math.max(0, tile(least(0) - border, grid.x)), x1 = Math.min(columns - 1, tile(most(0) + border, grid.x));
    const z0 = tile(least(2) - border, grid.z), z1 = tile(most(2) + border, grid.z);
    for (let z = z0; z <= z1; z += 1) {
      for (let x = x0; x <= x1; x += 1) {
        const found = tiles.get(z * columns + x);
        if (found === undefined) continue;
        found.triangles.push(indices[i], indices[i + 1], indices[i + 2]);
        found.low = Math.min(found.low, least(1));
        found.high = Math.max(found.high, most(1));
      }
    }
  }
  return [...tiles.values()].filter((found) => found.triangles.length > 0);
}

function must(ok, what) {
  if (!ok) throw new Error(`Recast could not ${what}`);
}

/** Recast's working data of one tile, freed together. */
class Work {
  frees = [];
  take(thing, free) {
    this.frees.push(() => free(thing));
    return thing;
  }
  done() {
    for (const free of this.frees.reverse()) free();
  }
}

/** The triangles of a tile -> which cells can be stood on, grown inward by the agent's radius. */
function standable(context, work, vertices, vertexCount, tile, box, size, agent) {
  const { cells } = agent;
  const field = work.take(allocHeightfield(), freeHeightfield);
  must(createHeightfield(context, field, size, size, box.min, box.max, agent.cs, agent.ch), "make a height field");
  const triangles = work.take(new TrianglesArray(), (t) => t.destroy());
  triangles.copy(tile.triangles);
  const count = tile.triangles.length / 3;
  const areas = work.take(new TriangleAreasArray(), (a) => a.destroy());
  areas.resize(count);
  areas.getHeapView().fill(0);
  markWalkableTriangles(context, agent.slope, vertices, vertexCount, triangles, count, areas);
  must(rasterizeTriangles(context, vertices, vertexCount, triangles, areas, count, field, cells.climb), "rasterise triangles");
  filterLowHangingWalkableObstacles(context, cells.climb, field);
  filterLedgeSpans(context, cells.height, cells.climb, field);
  filterWalkableLowHeightSpans(context, cells.height, field);
  const compact = work.take(allocCompactHeightfield(), freeCompactHeightfield);
  must(buildCompactHeightfield(context, cells.height, cells.climb, field, compact), "compact the height field");
  must(erodeWalkableArea(context, cells.radius, compact), "erode by the radius");
  return compact;
}

/** Bytes of a tile for Detour; null when nobody can stand in it. */
function tileData(context, vertices, vertexCount, tile, grid, agent) {
  const { cells } = agent;
  const border = cells.border * agent.cs;
  const x = grid.x + tile.x * grid.edge, z = grid.z + tile.z * grid.edge;
  // Heights on one lattice for all tiles, with room to stand on the highest triangle.
  const low = Math.floor(tile.low / agent.ch) * agent.ch;
  const box = { min: [x - border, low, z - border], max: [x + grid.edge + border, tile.high + agent.height + 1, z + grid.edge + border] };
  const work = new Work();
  try {
    const compact = standable(context, work, vertices, vertexCount, tile, box, cells.tile + 2 * cells.border, agent);
    must(buildDistanceField(context, compact), "build distances");
    must(buildRegions(context, compact, cells.border, 0, 0), "build regions");
    const contours = work.take(allocContourSet(), freeContourSet);
    // Simplified by half a cell: by more, and ways of one cell may be cut. Then the answer depends on where the tiles lie.
    must(buildContours(context, compact, 0.5, cellsUnder(4, agent.cs), contours, Recast.RC_CONTOUR_TESS_WALL_EDGES), "build contours");
    const mesh = work.take(allocPolyMesh(), freePolyMesh);
    must(buildPolyMesh(context, contours, 6, mesh), "build polygons");
    if (mesh.npolys() === 0) return null;
    const detail = work.take(allocPolyMeshDetail(), freePolyMeshDetail);
    must(buildPolyMeshDetail(context, mesh, compact, 1, 0.1, detail), "build details");
    for (let i = 0; i < mesh.npolys(); i += 1) mesh.setFlags(i, 1);
    const params = new NavMeshCreateParams();
    work.take(params, (p) => Raw.destroy(p.raw));
    params.setPolyMeshCreateParams(mesh);
    params.setPolyMeshDetailCreateParams(detail);
    params.setWalkableHeight(cells.height * agent.ch);
    params.setWalkableRadius(cells.radius * agent.cs);
    params.setWalkableClimb(JOIN_M);
    params.setCellSize(agent.cs);
    params.setCellHeight(agent.ch);
    params.setBuildBvTree(true);
    params.setTileX(tile.x);
    params.setTileY(tile.z);
    const made = createNavMeshData(params);
    must(made.success, "make a tile");
    return made.navMeshData;
  } finally {
    work.done();
  }
}

/**
 * `agent`: { radius, height, climb, cs, ch } in metres, slope in degrees. `points`: of the route, at most a metre or so
 * apart; tiles farther than `reach` from all of them are left out. Throws when Recast gives up. The caller destroys it.
 */
export function buildNavMesh(corridor, points, agent, reach) {
  const tileCells = cellsUnder(TILE_M, agent.cs);
  const radius = cellsOver(agent.radius, agent.cs);
  const cells = { radius, height: cellsOver(agent.height, agent.ch), climb: cellsUnder(agent.climb, agent.ch), tile: tileCells, border: radius + 3 };
  const whole = { ...agent, cells };
  const low = (k) => points.reduce((least, p) => Math.min(least, p[k]), Infinity) - reach;
  const grid = { x: low(0), z: low(2), edge: tileCells * agent.cs };
  const tiles = trianglesOfTiles(corridor, points, reach, grid, cells.border * agent.cs);
  const tileBits = Math.max(1, Math.ceil(Math.log2(tiles.length + 1)));
  const navMesh = new NavMesh();
  const params = NavMeshParams.create({
    orig: { x: grid.x, y: 0, z: grid.z },
    tileWidth: grid.edge, tileHeight: grid.edge,
    maxTiles: 2 ** tileBits, maxPolys: 2 ** (REFERENCE_BITS - tileBits),
  });
  must(navMesh.initTiled(params), "make a navigation mesh");
  const context = new RecastBuildContext(false);
  const vertices = new VerticesArray();
  vertices.copy(corridor.positions);
  for (const tile of tiles) {
    const data = tileData(context, vertices, corridor.positions.length / 3, tile, grid, whole);
    if (data !== null) must(!statusFailed(navMesh.addTile(data, FREE_DATA, 0).status), "add a tile");
  }
  vertices.destroy();
  return { navMesh, tiles: tiles.length };
}
