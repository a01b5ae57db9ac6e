// SPDX-License-Identifier: MIT
// Within the single file: what it holds, out of base 85 and LZMA, which a browser has no way of its own to read. LZMA is
// a sixth smaller than what browsers do read.

/** The `length` bytes that `text` stands for; `signs` are the digits. */
globalThis.unpack = (text, signs, length) => {
  const digits = new Uint8Array(128);
  for (let i = 0; i < 85; ++i) digits[signs.charCodeAt(i)] = i;
  const input = new DataView(new ArrayBuffer((text.length / 5) * 4));
  for (let i = 0; i < text.length; i += 5) {
    let value = 0;
    for (let k = 0; k < 5; ++k) value = value * 85 + digits[text.charCodeAt(i + k)];
    input.setUint32((i / 5) * 4, value);
  }
  return unlzma(new Uint8Array(input.buffer), length);
};

/** LZMA with its header of thirteen bytes, whose size is not looked at. */
function unlzma(input, length) {
  const out = new Uint8Array(length);
  const lc = input[0] % 9;
  const lpMask = (1 << (Math.floor(input[0] / 9) % 5)) - 1;
  const pbMask = (1 << Math.floor(input[0] / 45)) - 1;
  const probabilities = new Uint16Array(1846 + 768 * (lpMask + 1) * (1 << lc)).fill(1024);
  let at = 18;
  let range = 2 ** 32 - 1;
  let code = new DataView(input.buffer).getUint32(14);

  function more() {
    if (range >= 2 ** 24) return;
    range *= 256;
    code = code * 256 + input[at++];
  }
  function bit(index) {
    const probability = probabilities[index];
    const bound = (range >>> 11) * probability;
    const one = code >= bound ? 1 : 0;
    if (one) {
      range -= bound;
      code -= bound;
      probabilities[index] = probability - (probability >> 5);
    } else {
      range = bound;
      probabilities[index] = probability + ((2048 - probability) >> 5);
    }
    more();
    return one;
  }
  function tree(base, bits) {
    let node = 1;
    for (let i = 0; i < bits; ++i) node = node * 2 + bit(base + node);
    return node - (1 << bits);
  }
  function reversed(base, bits) {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; ++i) {
      const one = bit(base + node);
      node = node * 2 + one;
      value += one << i;
    }
    return value;
  }
  function direct(bits) {
    let value = 0;
    for (let i = 0; i < bits; ++i) {
      range = Math.floor(range / 2);
      const one = code >= range ? 1 : 0;
      if (one) code -= range;
      value = value * 2 + one;
      more();
    }
    return value;
  }
  function lengthAt(base, place) {
    if (!bit(base)) return tree(base + 2 + (place << 3), 3);
    if (!bit(base + 1)) return 8 + tree(base + 130 + (place << 3), 3);
    return 16 + tree(base + 258, 8);
  }
  function distanceOf(slot) {
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 + (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + reversed(688 + start - slot - 1, bits);
    return start + direct(bits - 4) * 16 + reversed(802, 4);
  }

  let state = 0;
  let distances = [0, 0, 0, 0];
  let position = 0;
  while (position < length) {
    const place = position & pbMask;
    if (!bit((state << 4) + place)) {
      const before = position > 0 ? out[position - 1] : 0;
      const base = 1846 + 768 * (((position & lpMask) << lc) + (before >> (8 - lc)));
      let node = 1;
      if (state >= 7) {
        for (let match = out[position - distances[0] - 1]; node < 256; match <<= 1) {
          const expected = (match >> 7) & 1;
          const one = bit(base + ((1 + expected) << 8) + node);
          node = node * 2 + one;
          if (one !== expected) break;
        }
      }
      while (node < 256) node = node * 2 + bit(base + node);
      out[position++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count;
    if (!bit(192 + state)) {
      count = lengthAt(818, place);
      distances = [distanceOf(tree(432 + (Math.min(count, 3) << 6), 6)), ...distances.slice(0, 3)];
      state = state < 7 ? 7 : 10;
    } else {
      let used = 0;
      if (bit(204 + state)) used = !bit(216 + state) ? 1 : bit(228 + state) ? 3 : 2;
      const short = used === 0 && !bit(240 + (state << 4) + place);
      if (used > 0) distances.unshift(...distances.splice(used, 1));
      count = short ? -1 : lengthAt(1332, place);
      state = short ? (state < 7 ? 9 : 11) : state < 7 ? 8 : 11;
    }
    for (count += 2; count > 0 && position < length; --count) {
      out[position] = out[position - distances[0] - 1];
      ++position;
    }
  }
  return out;
}
