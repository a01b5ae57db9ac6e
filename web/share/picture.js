// SPDX-License-Identifier: MIT
// The bar with its table as a picture.
import { escaped } from "../markup.js";
import { lines } from "./tables.js";

const width = 960;
const margin = 24;
const barTop = 96;
const barHeight = 64;
const rowTop = 208;
const rowHeight = 30;

const fills = {
  weights: "#0072b2",
  base: "#0072b2",
  gradients: "#009e73",
  master_and_optimizer: "#d55e00",
  optimizer: "#d55e00",
  adapter: "#d55e00",
  activations: "#aa3377",
  activations_and_logits: "#aa3377",
  overhead: "#747c85",
  reserve: "#b5bbc2",
};

const rectangle = (x, y, w, h, more) => `<rect x="${x.toFixed(2)}" y="${y}" width="${w.toFixed(2)}" height="${h}" ${more}/>`;

const words = (x, y, content, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;

/** A title in lines that fit into the picture. */
function wrapped(title, most = 92) {
  const list = [""];
  for (const word of title.split(" ")) {
    if ((list.at(-1) + word).length > most) list.push("");
    list[list.length - 1] += `${word} `;
  }
  return list.map((line) => line.trim()).slice(0, 2);
}

/**
 * The picture as SVG text: no script, nothing from elsewhere, light colours.
 * @param {object} said `title`, `machine` (what stands at the machine's end), and `gb` to write bytes
 */
export function svg(response, context, said) {
  const { fit, budget } = response;
  const table = lines(response, context);
  const height = rowTop + rowHeight * table.length + margin;
  const scale = (width - 2 * margin) / Math.max(fit.machine_bytes, fit.requested_bytes);
  const end = margin + fit.machine_bytes * scale;
  let x = margin;
  const parts = budget.segments.map(({ id, bytes }) => {
    const part = rectangle(x, barTop, bytes * scale, barHeight, `fill="${fills[id] ?? "#555d66"}" stroke="#ffffff"`);
    x += bytes * scale;
    return part;
  });
  const over =
    fit.over_bytes > 0
      ? rectangle(end, barTop, fit.over_bytes * scale, barHeight, 'fill="none" stroke="#a52300" stroke-width="4" stroke-dasharray="8 5"')
      : "";
  const rows = table.map(({ id, name, bytes }, index) => {
    const y = rowTop + rowHeight * index;
    const swatch = fills[id] ? rectangle(margin, y - 14, 16, 16, `fill="${fills[id]}"`) : "";
    return `${swatch}${words(margin + 28, y, name)}${words(width - margin, y, context.gb(bytes), 'text-anchor="end"')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="17" fill="#1b1f24">
<title>${escaped(said.title)}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${wrapped(said.title).map((line, index) => words(margin, 32 + 22 * index, line, 'font-weight="bold"')).join("")}
${words(Math.max(end, margin + 220), barTop - 12, said.machine, 'text-anchor="end" font-size="15"')}
${rectangle(margin, barTop, fit.machine_bytes * scale, barHeight, 'fill="#f5f7f9" stroke="#747c85" stroke-dasharray="4 3"')}
${parts.join("")}${over}
${rectangle(end - 2, barTop - 8, 4, barHeight + 16, 'fill="#1b1f24"')}
${rows.join("\n")}
</svg>
`;
}

/** The picture as PNG, two dots for each of its own. @returns {Promise<Blob>} */
export async function png(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}
