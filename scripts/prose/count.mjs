// node scripts/prose/count.mjs [--list] [FOLDER]: stilted phrases per 1,000 words of documents, comments and test titles, here or
// in another folder with the project. --list names each.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { proseOf } from "./prose-of.mjs";

const { values, positionals } = parseArgs({ options: { list: { type: "boolean" } }, allowPositionals: true });
const root = positionals[0] === undefined ? fileURLToPath(new URL("../..", import.meta.url)) : resolve(positionals[0]);

for (const [kind, { words, found }] of Object.entries(proseOf(root))) {
  const rate = words === 0 ? 0 : (found.length / words) * 1000;
  console.log(`${kind}: ${found.length} in ${words} words, ${rate.toFixed(2)} per 1,000`);
  if (values.list) for (const each of found) console.log(`    ${each}`);
}
