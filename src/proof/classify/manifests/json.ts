// Mixes package.json and composer.json: the judge's object with the product's dependency keys.
import { type JsonObject, objectIn } from "../json.ts";

const dependencyKeys = {
  "package-json": [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "peerDependenciesMeta",
    "optionalDependencies",
    "bundleDependencies",
    "bundledDependencies",
    "overrides",
    "resolutions",
  ],
  "composer-json": ["require", "require-dev", "conflict", "replace", "provide"],
} as const;

export function mixJson(format: keyof typeof dependencyKeys, product: string, judge: string): string {
  const [theirs, ours] = [objectIn(product), objectIn(judge)];
  if (theirs === null || ours === null) return judge;
  const keys: readonly string[] = dependencyKeys[format];
  if (keys.every((key) => JSON.stringify(valueAt(theirs, key)) === JSON.stringify(valueAt(ours, key)))) return judge;
  return written(mixed(theirs, ours, keys), judge);
}

const valueAt = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** In the judge's order; keys that only the product has come last. */
function mixed(product: JsonObject, judge: JsonObject, keys: readonly string[]): JsonObject {
  const kept = Object.entries(judge).flatMap(([key, value]) => {
    if (!keys.includes(key)) return [[key, value] as const];
    return Object.hasOwn(product, key) ? [[key, product[key]] as const] : [];
  });
  const added = keys.filter((key) => Object.hasOwn(product, key) && !Object.hasOwn(judge, key));
  return Object.fromEntries([...kept, ...added.map((key) => [key, product[key]] as const)]);
}

/** With the indentation, the newlines and the end of the judge's text. */
function written(value: JsonObject, like: string): string {
  const indent = /^\uFEFF?\s*\{\r?\n?([ \t]+)"/.exec(like)?.[1] ?? (like.includes("\n") ? "  " : "");
  const text = JSON.stringify(value, null, like.includes("\n") ? indent : "");
  const eol = like.includes("\r\n") ? "\r\n" : "\n";
  return (eol === "\n" ? text : text.replaceAll("\n", eol)) + (like.endsWith("\n") ? eol : "");
}
