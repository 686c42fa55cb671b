// Builds dist: tsc for the TypeScript, a copy of the few plain programs that run as separate processes or are loaded by a
// workspace's tools, and the command line as a bundle, because it is started often and has hundreds of modules. Built in a
// temporary folder and then renamed, so that a failed build leaves the last one in place.
//   node scripts/build.mjs --plain DIR     without the bundle, into DIR: a file for each module
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const { plain } = parseArgs({ options: { plain: { type: "string" } } }).values;
const target = plain ?? join(root, "dist");
const beside = `${target}.${process.pid}.tmp`;
try {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", beside], {
    cwd: root,
    stdio: "inherit",
  });
  copyPrograms("src");
  if (plain === undefined) await bundle();
  chmodSync(join(beside, "cli", "main.js"), 0o755);
  rmSync(target, { recursive: true, force: true });
  renameSync(beside, target);
} catch (error) {
  rmSync(beside, { recursive: true, force: true });
  if (error.status === undefined) throw error;
  process.exit(1); // tsc has printed the errors.
}

function copyPrograms(dir) {
  for (const name of readdirSync(join(root, dir))) {
    const path = join(dir, name);
    const to = join(beside, path.slice("src/".length));
    if (name === "assets")
      cpSync(join(root, path), to, { recursive: true, filter: (from) => !from.includes("__pycache__") });
    else if (statSync(join(root, path)).isDirectory()) copyPrograms(path);
    else if (name.endsWith(".mjs")) cpSync(join(root, path), to);
  }
}

/** The command line and the server's driver, with chunks for what they load on demand. Nothing else imports cli/. */
async function bundle() {
  const entries = ["cli/main", "serve/driver"];
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(beside, `${name}.js`)])),
    cwd: beside,
    platform: "node",
    // Packages of the person's own, where they are installed.
    external: [/^node:/, "playwright-core", "@agentclientprotocol/sdk"],
    plugins: [{ name: "own-places", transform: inItsOwnPlace }],
  });
  const { output } = await bundled.generate({ entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" });
  await bundled.close();
  rmSync(join(beside, "cli"), { recursive: true });
  for (const { fileName, code } of output) {
    mkdirSync(dirname(join(beside, fileName)), { recursive: true });
    writeFileSync(join(beside, fileName), code);
  }
  writeFileSync(join(beside, "chunks", "LICENSES.txt"), licensesOf(output.flatMap(({ moduleIds }) => moduleIds)));
}

/** The bundle contains code of these packages, so that it carries their licenses. */
function licensesOf(modules) {
  const folders = modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenseOf).join("\n");
}

function licenseOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no license file`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

/** A module finds the files that belong to it by its URL. Every chunk is one folder deep. */
function inItsOwnPlace(code, path) {
  if (!path.startsWith(beside) || !code.includes("import.meta.url")) return null;
  const own = JSON.stringify(`../${relative(beside, path)}`);
  return { code: code.replaceAll("import.meta.url", `new URL(${own}, import.meta.url).href`), map: null };
}
