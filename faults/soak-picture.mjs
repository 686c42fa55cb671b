// Draws what the soak saw, one small chart for each measure, as an SVG without anything that a reader would have to load.
const [width, height, left, top] = [720, 150, 60, 28];

export function picture(points, measures, title) {
  const charts = measures.map((measure, at) => chart(points, measure, at * (height + 40)));
  const total = measures.length * (height + 40) + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="${width}" height="${total}" fill="#fff"/>
${charts.join("\n")}
</svg>
`;
}

function chart(points, { key, title }, y) {
  const values = points.map((point) => point[key]);
  const most = Math.max(...values, 1e-9) * 1.1;
  const last = points.at(-1)?.done ?? 1;
  const x = (done) => left + (done / last) * (width - left - 20);
  const up = (value) => y + top + (1 - value / most) * (height - top);
  const line = points.map((point) => `${x(point.done).toFixed(1)},${up(point[key]).toFixed(1)}`).join(" ");
  return `<text x="${left}" y="${y + 18}" font-weight="bold">${title}</text>
<line x1="${left}" y1="${y + height}" x2="${width - 20}" y2="${y + height}" stroke="#999"/>
<text x="${left - 6}" y="${y + top + 4}" text-anchor="end" fill="#555">${round(most)}</text>
<text x="${left - 6}" y="${y + height + 4}" text-anchor="end" fill="#555">0</text>
<text x="${width - 20}" y="${y + height + 16}" text-anchor="end" fill="#555">iteration ${last}</text>
<polyline fill="none" stroke="#0a58ca" stroke-width="1.5" points="${line}"/>`;
}

const round = (value) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(2)));
