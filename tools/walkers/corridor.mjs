// Reads corridor files (docs/formats/corridor.md). Of their OBJ only: v, f of three vertices, one l.

/** Numbers that grow as they are pushed. */
class Numbers {
  constructor(Type) {
    this.values = new Type(1 << 16);
    this.length = 0;
  }
  push(value) {
    if (this.length === this.values.length) {
      const wider = new this.values.constructor(2 * this.length);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }
  taken() {
    return this.values.subarray(0, this.length);
  }
}

const SPACE = 32, NEWLINE = 10;

/** Decimal numbers of one line after another. Files are tens of megabytes, so no line becomes a string. */
class Lines {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.line = 0;
  }
  /** The word that opens the next line; "" when it is empty, null at the end. */
  next() {
    if (this.at >= this.bytes.length) return null;
    this.line += 1;
    const start = this.at;
    while (this.at < this.bytes.length && this.bytes[this.at] !== SPACE && this.bytes[this.at] !== NEWLINE) this.at += 1;
    return this.bytes.latin1Slice(start, this.at);
  }
  /** What is left of the line. */
  rest() {
    const start = this.at;
    const end = this.bytes.indexOf(NEWLINE, start);
    this.at = end < 0 ? this.bytes.length : end + 1;
    return this.bytes.latin1Slice(start, end < 0 ? this.bytes.length : end);
  }
  /** The next number of the line; undefined at its end. */
  number() {
    while (this.bytes[this.at] === SPACE) this.at += 1;
    const start = this.at;
    let value = 0, scale = 0, negative = false, plain = true, digits = 0;
    for (; this.at < this.bytes.length && this.bytes[this.at] !== SPACE && this.bytes[this.at] !== NEWLINE; this.at += 1) {
      const c = this.bytes[this.at];
      if (c >= 48 && c <= 57) {
        value = 10 * value + (c - 48);
        digits += 1;
        scale *= 10;
      } else if (c === 46 && scale === 0) scale = 1;
      else if (c === 45 && this.at === start) negative = true;
      else plain = false;
    }
    if (this.at === start) return undefined;
    // Up to 15 digits are exact as a whole number; the rest, and exponents, are for the language's own reader.
    if (!plain || digits === 0 || digits > 15) value = Number(this.bytes.latin1Slice(start, this.at));
    else value = (negative ? -value : value) / (scale || 1);
    if (!Number.isFinite(value)) throw new Error(`${this.line}: "${this.bytes.latin1Slice(start, this.at)}" is no number`);
    return value;
  }
  numbers(count) {
    const found = [];
    for (let v = this.number(); v !== undefined; v = this.number()) found.push(v);
    if (count !== undefined && found.length !== count) throw new Error(`${this.line}: ${found.length} numbers where ${count} belong`);
    return found;
  }
}

/**
 * Bytes of a file -> { origin: [x, y, z] in the world (z up), positions: Float32Array (y up), indices: Int32Array,
 * line: [[x, y, z], ...] (y up) }. Throws what is wrong, with its line.
 */
export function readCorridor(bytes) {
  const lines = new Lines(bytes);
  const positions = new Numbers(Float32Array);
  const indices = new Numbers(Int32Array);
  let origin = null;
  let route = null;
  if (lines.next() !== "#" || lines.rest().trim() !== "voxelforge corridor 1") throw new Error("1: not a voxelforge corridor 1");
  for (let word = lines.next(); word !== null; word = lines.next()) {
    if (word === "v") {
      for (const v of lines.numbers(3)) positions.push(v);
    } else if (word === "f") {
      for (const i of lines.numbers(3)) indices.push(i - 1);
    } else if (word === "l") {
      if (route !== null) throw new Error(`${lines.line}: a second route`);
      route = lines.numbers().map((i) => i - 1);
    } else if (word === "#") {
      const words = lines.rest().trim().split(" ");
      if (words[0] === "origin_m") origin = words.slice(1).map(Number);
      continue;
    } else if (word !== "" && word !== "o") {
      throw new Error(`${lines.line}: "${word}" is not in corridor files`);
    }
    lines.rest();
  }
  if (origin === null || origin.length !== 3 || !origin.every(Number.isFinite)) throw new Error("no origin_m");
  if (route === null || route.length < 2) throw new Error("no route of two points or more");
  const count = positions.length / 3;
  const known = (i) => Number.isInteger(i) && i >= 0 && i < count;
  if (!indices.taken().every(known) || !route.every(known)) throw new Error("a vertex that is not there");
  const at = positions.taken();
  return { origin, positions: at, indices: indices.taken(), line: route.map((i) => [at[3 * i], at[3 * i + 1], at[3 * i + 2]]) };
}
