// Code that changes what other code sees, or is not what it looks like.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { addedTo } from "../source/index.ts";

/** Settings of the whole process: the environment, the time zone, the precision of decimals. */
const ambient =
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=(?!=)|\bos\.environ\[[^\]]+\]\s*=(?!=)|\bos\.(?:putenv|umask)\(|\btime\.tzset\(|\blocale\.setlocale\(|\b(?:decimal\.)?getcontext\(\)\.\w+\s*=(?!=)|\bsys\.setrecursionlimit\(|\brandom\.seed\(|\bObject\.definePropert(?:y|ies)\(\s*(?:globalThis|global|window)\b/;
/** Starts git in the folder where it runs: the history there is one commit in a clean checkout, and another one elsewhere. */
const startsGit =
  /\b(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|execa|run|check_output|check_call|call|Popen|system|popen|Command(?:::new)?)\s*\(\s*\[?\s*["'`]git[\s"'`](?!.*(?:\bcwd\b|["'\s]-C\b))/;
/** `import_module("ya" + "ml")`: no manifest can be compared with it. */
const computed = /\b(?:import_module|__import__|require|import)\(\s*(["'`])[^"'`]*\1\s*\+\s*["'`]/;
/** Latin letters and letters that look like them in one word. */
const mixed = /(?=[\p{L}_]*[A-Za-z])(?=[\p{L}_]*[\u0370-\u03ff\u0400-\u04ff])[\p{L}_]+/u;

export function ambientQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const product = sides.changes.filter(
    ({ side, kind, isDocument }) => side === "product" && kind !== "deleted" && !isDocument,
  );
  const lines = product.flatMap(({ path }) =>
    addedTo(sides.base.text(path) ?? "", sides.candidate.text(path) ?? "").map(({ line, text }) => ({
      at: `${path}:${line}`,
      text,
    })),
  );
  const where = (pattern: RegExp): string[] => lines.filter(({ text }) => pattern.test(text)).map(({ at }) => at);
  const settings = /\b(?:env|environment|locale|time ?zone|precision|seed|global)/i.test(asked) ? [] : where(ambient);
  const [hidden, lookalikes, gits] = [where(computed), where(mixed), where(startsGit)];
  return [
    ...(gits.length === 0
      ? []
      : [
          `It asks git about the folder where it runs, which has another history in a clone: ${listed(gits)}. A person has to look.`,
        ]),
    ...(settings.length === 0
      ? []
      : [`It changes a setting of the whole process, which other code sees, too: ${listed(settings)}. Keep it local.`]),
    ...(hidden.length === 0 ? [] : [`The name of a module is put together: ${listed(hidden)}. Write it as one text.`]),
    ...(lookalikes.length === 0
      ? []
      : [`A word mixes letters of two alphabets that look alike: ${listed(lookalikes)}. A person has to look.`]),
  ];
}
