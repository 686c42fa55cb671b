// Draws measurements as self-contained SVG: lines over a linear or a logarithmic axis, and bars. On white, so that it
// can be read on light and dark pages.
const font = 'font-family="system-ui, sans-serif" font-size="12"';
export const colours = ["#0a58ca", "#c2410c", "#15803d", "#7e22ce"];
const [ink, faint, rule] = ["#222", "#666", "#e2e2e2"];

/** The frame of a picture; `parts` come from the functions below. */
export const svg = (title, width, height, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${font} fill="${ink}">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${parts.join("\n")}
</svg>
`;

/** One chart of lines, alone in its picture. */
export function lineChart({ title, x, y, lines, dots }) {
  const [width, height] = [720, 320];
  const box = { left: 76, top: 60, width: width - 76 - 36, height: height - 60 - 52 };
  return svg(title, width, height, [heading(title), legend(lines, 40), panel(box, { x, y, lines, dots })]);
}

/**
 * Axes, their labels, and the lines between them. `x` and `y`: `{ label, log }`; a line: `{ name, points: [[x, y], …]
 * }`. A linear axis starts at zero, so that what looks flat is flat.
 */
export function panel(box, { x, y, lines, dots = true }) {
  const points = lines.flatMap((line) => line.points);
  const across = axis(
    points.map(([at]) => at),
    x.log,
    x.ends,
  );
  const up = axis(
    points.map(([, value]) => value),
    y.log,
  );
  const px = (at) => box.left + across.part(at) * box.width;
  const py = (value) => box.top + (1 - up.part(value)) * box.height;
  const bottom = box.top + box.height;
  return [
    ...up.ticks.map(
      (tick) =>
        `<line x1="${box.left}" x2="${box.left + box.width}" y1="${f(py(tick))}" y2="${f(py(tick))}" stroke="${rule}"/>${text(box.left - 8, py(tick) + 4, short(tick), "end", faint)}`,
    ),
    ...across.ticks.map((tick) => text(px(tick), bottom + 18, short(tick), "middle", faint)),
    `<line x1="${box.left}" x2="${box.left + box.width}" y1="${bottom}" y2="${bottom}" stroke="#999"/>`,
    x.label === "" ? "" : text(box.left + box.width / 2, bottom + 38, x.label, "middle", faint),
    y.label === "" ? "" : upright(16, box.top + box.height / 2, y.label),
    ...lines.map(({ points: at }, nth) => {
      const places = at.map(([one, value]) => [f(px(one)), f(py(value))]);
      const circles = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colours[nth]}"/>`);
      return `<polyline fill="none" stroke="${colours[nth]}" stroke-width="1.8" points="${places.join(" ")}"/>${dots ? circles.join("") : ""}`;
    }),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Horizontal bars in groups, with the value and its unit at the end of each. */
export function barChart({ title, unit, groups }) {
  const [width, thick] = [720, 16];
  const left = 30 + 6.6 * Math.max(0, ...groups.map(({ name }) => name.length));
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ name }) => name)))];
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), 1e-9);
  let y = 60;
  const parts = groups.flatMap(({ name, bars }) => {
    const top = y;
    y += bars.length * (thick + 3) + 14;
    return [
      text(left - 10, top + (bars.length * (thick + 3)) / 2 + 3, name, "end"),
      ...bars.map(({ name: of, value }, nth) => {
        const [at, long] = [top + nth * (thick + 3), (value / most) * (width - left - 90)];
        return `<rect x="${left}" y="${at}" width="${f(Math.max(1, long))}" height="${thick}" fill="${colours[names.indexOf(of)]}"/>${text(left + long + 6, at + 12, `${short(value)} ${unit}`, "start", faint)}`;
      }),
    ];
  });
  const key = legend(
    names.map((name) => ({ name })),
    40,
  );
  return svg(title, width, y + 4, [heading(title), key, ...parts]);
}

export const heading = (title, y = 20) => `<text x="16" y="${y}" font-weight="600">${escaped(title)}</text>`;

function legend(lines, y) {
  let x = 16;
  return lines
    .map(({ name }, nth) => {
      const at = x;
      x += 28 + name.length * 6.6;
      return `<rect x="${at}" y="${y - 9}" width="10" height="10" fill="${colours[nth]}"/>${text(at + 15, y, name)}`;
    })
    .join("");
}

const text = (x, y, said, anchor = "start", fill = ink) =>
  `<text x="${f(x)}" y="${f(y)}" text-anchor="${anchor}" fill="${fill}">${escaped(said)}</text>`;
const upright = (x, y, said) =>
  `<text transform="translate(${f(x)} ${f(y)}) rotate(-90)" text-anchor="middle" fill="${faint}">${escaped(said)}</text>`;

/** The position of a value on an axis, and the values to label. */
export function axis(values, log = false, ends = false) {
  if (log) {
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
    const span = Math.max(1, high - low);
    const ticks = Array.from({ length: span + 1 }, (_, at) => 10 ** (low + at));
    return { ticks, part: (value) => (Math.log10(value) - low) / span };
  }
  const most = Math.max(...values, 1e-9);
  const rough = 10 ** Math.floor(Math.log10(most / 4));
  const step = rough * ([1, 2, 5, 10].find((times) => most / (rough * times) <= 6) ?? 10);
  const top = ends ? most : Math.ceil(most / step - 1e-9) * step;
  const ticks = Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, at) => at * step);
  return { ticks, part: (value) => value / top };
}

/** A number, as short as possible for a reader. */
export function short(value) {
  if (value === 0) return "0";
  if (Math.abs(value) < 10) return String(Number(value.toPrecision(2)));
  return Math.round(value).toLocaleString("en");
}

const f = (value) => Number(value.toFixed(1));
const escaped = (said) => String(said).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
