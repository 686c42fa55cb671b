// Writes the page and draws the pictures from the measurements. Every number in them comes from there.
import { barChart, lineChart } from "./chart.mjs";
import { machineText } from "./machine.mjs";

/** `{ path: text }` of every file below docs/, from the measurements and the sections' descriptions. */
export function pageOf(results, sections) {
  const measured = sections.filter(({ id }) => results.sections[id] !== undefined);
  const latest = measured
    .map(({ id }) => results.sections[id])
    .reduce((one, other) => (other.at > one.at ? other : one));
  const pictures = measured.flatMap(({ id }) =>
    (results.sections[id].plots ?? []).map((plot) => [`bench/${plot.name}.svg`, draw(plot)]),
  );
  const text = [
    "# Benchmarks",
    "",
    ...wrapped(opening),
    "",
    ...wrapped(`Measured on ${machineText(latest.machine)}.`),
    "",
    ...sections.flatMap((section) => part(section, results.sections[section.id], latest)),
  ].join("\n");
  return { "BENCHMARKS.md": `${text.trimEnd()}\n`, ...Object.fromEntries(pictures) };
}

const opening =
  "What the loop costs, written by `npm run bench -- --write`; no number here was typed by hand. What is compared was measured in turns in the same run, and a number is the median. The ratios travel better than the times.";

/** Figures from a busy machine are worth less, and say so. Our own work is one process at a time. */
const busy = (load, { cores }) =>
  load > cores + 1 ? ` while the machine was busy with other work (load ${Math.round(load)})` : "";

function wrapped(text, width = 125) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}

function part({ id, title, why }, found, latest) {
  const head = [`## ${title}`, "", ...wrapped(why), ""];
  if (found === undefined) return [...head, `Not measured yet: \`npm run bench -- --only ${id} --write\`.`, ""];
  const { rows, plots = [], notes = [], at, machine, load = 0 } = found;
  const isHere = machineText({ ...machine, syncMs: 0 }) === machineText({ ...latest.machine, syncMs: 0 });
  const where = isHere ? "" : `, on ${machineText(machine)}`;
  return [
    ...head,
    ...table(rows),
    "",
    ...plots.flatMap(({ name, title: alt }) => [`![${alt}](bench/${name}.svg)`, ""]),
    ...notes.flatMap((note) => [...wrapped(note), ""]),
    ...wrapped(`*Measured on ${at.slice(0, 10)}${where}${busy(load, machine)}: \`npm run bench -- --only ${id}\`.*`),
    "",
  ];
}

function table(rows) {
  if (rows.every(({ beside }) => beside === null))
    return [
      "| what | measured |",
      "| --- | ---: |",
      ...rows.map((row) => `| ${row.what} | ${withUnit(row.ours, row.unit)} |`),
    ];
  return [
    "| what | ours | compared with | ratio |",
    "| --- | ---: | ---: | ---: |",
    ...rows.map((row) => `| ${cellsOf(row).join(" | ")} |`),
  ];
}

/** The four cells of a row, as the page and the terminal show them. */
export const cellsOf = ({ what, unit, ours, beside }) => [
  what,
  withUnit(ours, unit),
  beside === null ? "" : withUnit(beside, unit),
  beside === null || beside === 0 ? "" : ratio(ours / beside),
];

export const withUnit = (value, unit) =>
  `${Math.abs(value) < 10 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value).toLocaleString("en")} ${unit}`;
const ratio = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)}×`;

const draw = (plot) => (plot.kind === "bars" ? barChart(plot) : lineChart(plot));
