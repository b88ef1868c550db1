// node walk.mjs FILE...: may Recast's and Detour's agents walk the corridors in these files (docs/formats/corridor.md)?
//
// Prints a JSON line for each file and agent:
//   file, agent, reached, reached_m: how far along the route, length_m: of the route, at_m: where the walk ends (world,
//   z up), why: it ends there ("" when it arrived), ms: how long it took.
// Exit 0: all arrived. 1: one did not. 2: a file that is no corridor, or none given.
import { readFile } from "node:fs/promises";
import { NavMeshQuery, floodFillPruneNavMesh, init } from "@recast-navigation/core";
import { readCorridor } from "./corridor.mjs";
import { buildNavMesh } from "./nav-mesh.mjs";

/**
 * Lengths in metres, slope in degrees. reach: how far beside a point of the route the agent may pass it.
 * - player: as high as the game's capsule and a little more. It climbs one voxel and slopes that a foot still holds on,
 *   and may pass the route anywhere in its clear width of 3 m.
 * - clearance: as wide and high as the contract's clear width and height, less a cell on either side; at 15 degrees it
 *   stops. It has to follow the line.
 */
const AGENTS = {
  player: { radius: 0.34, height: 1.8, slope: 45, climb: 0.25, cs: 0.085, ch: 0.05, reach: 1.5 },
  clearance: { radius: 1.45, height: 3.0, slope: 15, climb: 0.1, cs: 0.145, ch: 0.05, reach: 0.5 },
};
const STEP_M = 1; // between places that are asked for
const HEIGHT_M = 1; // between the route's floor and the navigation mesh; another floor is farther off
const TILES_M = 3; // beside the route
// A way from one place to the next may be this much longer than the line: around a pillar, not around a wall.
const DETOUR_M = 3;

const between = (a, b, t) => a.map((v, k) => v + t * (b[k] - v));
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The line's points, and more between them, so that none are more than STEP_M apart: { at, s } */
function places(line) {
  const out = [{ at: line[0], s: 0 }];
  for (let i = 1; i < line.length; i += 1) {
    const length = distance(line[i - 1], line[i]);
    const parts = Math.max(1, Math.ceil(length / STEP_M));
    const { s } = out[out.length - 1];
    for (let k = 1; k <= parts; k += 1) out.push({ at: between(line[i - 1], line[i], k / parts), s: s + (length * k) / parts });
  }
  return out;
}

const vector = ([x, y, z]) => ({ x, y, z });

/** The polygon nearest to a place within the agent's reach; null when there is none. */
function stand(query, at, agent) {
  const found = query.findNearestPoly(vector(at), { halfExtents: { x: agent.reach, y: HEIGHT_M, z: agent.reach } });
  if (!found.success || found.nearestRef === 0) return null;
  const point = [found.nearestPoint.x, found.nearestPoint.y, found.nearestPoint.z];
  if (Math.hypot(point[0] - at[0], point[2] - at[2]) > agent.reach || Math.abs(point[1] - at[1]) > HEIGHT_M) return null;
  return { ref: found.nearestRef, point };
}

/** Length of the way between two places on polygons; Infinity when there is none. */
function way(query, from, to) {
  const path = query.findPath(from.ref, to.ref, vector(from.point), vector(to.point));
  let length = Infinity;
  if (path.success && path.polys.size > 0 && path.polys.get(path.polys.size - 1) === to.ref) {
    const straight = query.findStraightPath(vector(from.point), vector(to.point), path.polys);
    if (straight.success && straight.straightPathCount > 0) {
      const points = straight.straightPath.toTypedArray();
      length = 0;
      for (let i = 3; i < 3 * straight.straightPathCount; i += 3) length += distance(points.slice(i - 3, i), points.slice(i, i + 3));
    }
    straight.straightPath.destroy();
    straight.straightPathFlags.destroy();
    straight.straightPathRefs.destroy();
  }
  path.polys.destroy();
  return length;
}

/** How far the agent comes: { passed: places, why } */
function follow(navMesh, query, route, agent) {
  let here = stand(query, route[0].at, agent);
  if (here === null) return { passed: 0, why: "no place to stand at the start" };
  floodFillPruneNavMesh(navMesh, [here.ref]); // from here on only what can be reached is found
  for (let i = 1; i < route.length; i += 1) {
    const next = stand(query, route[i].at, agent);
    if (next === null) return { passed: i, why: `nothing that can be reached within ${agent.reach} m of the route` };
    const length = way(query, here, next);
    if (length > distance(here.point, next.point) + DETOUR_M) {
      return { passed: i, why: length === Infinity ? "no way to the next place" : `the way to the next place is ${length.toFixed(1)} m long` };
    }
    here = next;
  }
  return { passed: route.length, why: "" };
}

function walk(corridor, agent) {
  const route = places(corridor.line);
  const { navMesh, tiles } = buildNavMesh(corridor, route.map((p) => p.at), agent, TILES_M);
  const query = new NavMeshQuery(navMesh);
  const { passed, why } = follow(navMesh, query, route, agent);
  query.destroy();
  navMesh.destroy();
  const last = route[Math.max(0, passed - 1)];
  const [x, y, z] = last.at;
  const world = [x, -z, y].map((v, k) => Number((v + corridor.origin[k]).toFixed(3)));
  const metres = (s) => Number(s.toFixed(3));
  return { reached: passed === route.length, reached_m: metres(last.s), length_m: metres(route[route.length - 1].s), at_m: world, why, tiles };
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node walk.mjs FILE...");
  process.exit(2);
}
await init();
let code = 0;
for (const file of files) {
  let corridor;
  try {
    corridor = readCorridor(await readFile(file));
  } catch (error) {
    console.error(`${file}:${error.message}`);
    code = 2;
    continue;
  }
  for (const [name, agent] of Object.entries(AGENTS)) {
    const started = performance.now();
    const result = walk(corridor, agent);
    console.log(JSON.stringify({ file, agent: name, ...result, ms: Math.round(performance.now() - started) }));
    if (!result.reached) code = Math.max(code, 1);
  }
}
process.exit(code);
