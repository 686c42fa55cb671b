// Draws the soak's measurements, one small chart each, in one picture.
import { heading, panel, svg } from "../bench/chart.mjs";

const [width, height] = [720, 190];

export function picture(points, measures, title) {
  const charts = measures.flatMap(({ key, title: said }, at) => {
    const top = at * height;
    const box = { left: 60, top: top + 30, width: width - 80, height: height - 70 };
    const line = { name: said, points: points.map((point) => [point.done, point[key]]) };
    const x = { label: at === measures.length - 1 ? "iterations" : "", ends: true };
    return [heading(said, top + 20), panel(box, { x, y: { label: "" }, lines: [line], dots: false })];
  });
  return svg(title, width, measures.length * height + 20, charts);
}
