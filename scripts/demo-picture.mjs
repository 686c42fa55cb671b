// Makes docs/demo.svg: what a real run of the demo left on a terminal of 110 columns. Run it after a visual change:
// node scripts/build.mjs && node scripts/demo-picture.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const columns = 110;
const colours = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea" };

const work = mkdtempSync(join(tmpdir(), "loop-picture-"));
try {
  const raw = join(work, "raw");
  const command = `stty cols ${columns}; ${process.execPath} ${join(root, "dist/cli/main.js")} demo`;
  const env = { PATH: process.env.PATH, HOME: work, TERM: "xterm-256color", TMPDIR: work };
  execFileSync("script", ["-qec", command, raw], { env, stdio: "ignore" });
  const lines = readFileSync(raw, "utf8").split("\n").slice(1, -2).map(leftStanding).filter(isLasting).map(plainPaths);
  const wrapped = essential(lines).flatMap(atWidth);
  writeFileSync(join(root, "docs", "demo.svg"), picture(trimmed(wrapped)));
  process.stdout.write(`docs/demo.svg, ${wrapped.length} lines\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** A picture that fits on a screen: the lie, the rewritten test, and the ending. Dots stand for the rest. */
function essential(lines) {
  const plain = lines.map((line) => line.replaceAll(/\u001b\[[?\d;]*[a-zA-Z]/g, ""));
  const from = (pattern, after = 0) => plain.findIndex((line, at) => at >= after && pattern.test(line));
  const [lie, told] = [from(/^F002 /), from(/^F002 .*attempt 2/)];
  const [tampered, again] = [from(/^F004 /), from(/^F004 .*attempt 2/)];
  const box = from(/╭─/, again);
  const end = from(/^Next:|^Problems/, box);
  const dots = ["  …", ""];
  return [
    ...lines.slice(0, from(/^F001 /)),
    ...dots,
    ...lines.slice(lie, told),
    ...dots,
    ...lines.slice(tampered, again),
    ...dots,
    ...lines.slice(box, end === -1 ? undefined : end),
  ];
}

/** The live line overwrites itself: text before the last erase is gone. */
function leftStanding(line) {
  const last =
    line
      .replace(/\r+$/, "")
      .split(/\r?\u001b\[2K/)
      .at(-1) ?? "";
  return last.split("\r").at(-1) ?? "";
}

/** The live line is taken away by moving the cursor; what is left of it here begins with its spinner. */
function isLasting(line) {
  return !/^(?:\u001b\[[?\d;]*[a-zA-Z])*[\u2800-\u28ff]/.test(line);
}

function plainPaths(line) {
  return line.replaceAll(/\/\S*loop-demo-\w+/g, "/tmp/loop-demo").replaceAll(root, "");
}

/** Styled pieces of one line. */
function pieces(line) {
  const found = [];
  let style = {};
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    const code = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (code === undefined) {
      const text = part.replaceAll(/\u001b\[[?\d;]*[a-zA-Z]/g, "");
      if (text !== "") found.push({ text, ...style });
    } else if (code === "1") style = { ...style, bold: true };
    else if (code === "2") style = { ...style, fill: "#8b949e" };
    else if (code === "22") style = {};
    else if (colours[code] !== undefined) style = { ...style, fill: colours[code] };
    else style = {};
  }
  return found;
}

/** Breaks lines like a terminal. */
function atWidth(line) {
  const rows = [[]];
  let used = 0;
  for (const { text, ...style } of pieces(line)) {
    for (const char of text) {
      if (used === columns) {
        rows.push([]);
        used = 0;
      }
      const row = rows.at(-1);
      const last = row.at(-1);
      if (last !== undefined && last.style === style) last.text += char;
      else row.push({ text: char, style });
      used += 1;
    }
  }
  return rows;
}

function trimmed(rows) {
  const isEmpty = (row) => row.every(({ text }) => text.trim() === "");
  const from = rows.findIndex((row) => !isEmpty(row));
  return rows.slice(from, rows.findLastIndex((row) => !isEmpty(row)) + 1);
}

function picture(rows) {
  const [width, height] = [columns * 7.85 + 32, rows.length * 17 + 60];
  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const span = ({ text, style }) =>
    `<tspan${style.fill === undefined ? "" : ` fill="${style.fill}"`}${style.bold ? ' font-weight="bold"' : ""}>${escaped(text)}</tspan>`;
  const text = rows.flatMap((row, at) =>
    row.length === 0
      ? []
      : [`<text x="16" y="${50 + at * 17}" fill="#c9d1d9" xml:space="preserve">${row.map(span).join("")}</text>`],
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13">
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="20" cy="18" r="6" fill="#ff5f56"/><circle cx="40" cy="18" r="6" fill="#ffbd2e"/><circle cx="60" cy="18" r="6" fill="#27c93f"/>
<text x="90" y="23" fill="#8b949e">$ npm start</text>
${text.join("\n")}
</svg>
`;
}
