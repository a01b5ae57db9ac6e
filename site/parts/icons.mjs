// SPDX-License-Identifier: MIT
// The mark of the header as icons for an installed calculator.
import { deflateSync } from "node:zlib";

const ground = [18, 48, 63];
// In units of the mark, whose side is 32: left, top, width, height, radius, colour.
const bars = [
  [7, 7, 18, 4.5, 1, [143, 199, 238]],
  [7, 13.75, 13, 4.5, 1, [240, 164, 107]],
  [7, 20.5, 7, 4.5, 1, [127, 209, 176]],
];

function inside(x, y, [left, top, width, height, radius]) {
  const dx = Math.max(left + radius - x, x - (left + width - radius), 0);
  const dy = Math.max(top + radius - y, y - (top + height - radius), 0);
  return dx * dx + dy * dy <= radius * radius;
}

/**
 * A square PNG of the mark.
 * @param {boolean} [maskable] the ground fills the square, and the mark keeps away from its edges
 */
export function icon(side, { maskable = false } = {}) {
  const frame = maskable ? [-32, -32, 96, 96, 0] : [0, 0, 32, 32, 7];
  const samples = [0.125, 0.375, 0.625, 0.875];
  const scale = (maskable ? 40 : 32) / side;
  const shift = maskable ? -4 : 0;
  const rows = Buffer.alloc(side * (1 + 4 * side));
  for (let row = 0; row < side; ++row) {
    for (let column = 0; column < side; ++column) {
      const sum = [0, 0, 0, 0];
      for (const down of samples) {
        for (const across of samples) {
          const [x, y] = [(column + across) * scale + shift, (row + down) * scale + shift];
          if (!inside(x, y, frame)) continue;
          const colour = bars.find((bar) => inside(x, y, bar))?.[5] ?? ground;
          colour.forEach((value, index) => (sum[index] += value));
          ++sum[3];
        }
      }
      const place = row * (1 + 4 * side) + 1 + 4 * column;
      for (let index = 0; index < 3; ++index) rows[place + index] = sum[3] ? Math.round(sum[index] / sum[3]) : 0;
      rows[place + 3] = Math.round((255 * sum[3]) / 16);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** The checksum of PNG; zlib has one of its own from Node 20.15 on. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}
