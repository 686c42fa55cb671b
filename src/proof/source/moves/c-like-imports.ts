// `#include "a.h"` of C and C++, and imports of Java, Kotlin and Scala that name a class by its folders.
import type { Edit } from "../edit.ts";
import { textAt } from "../lex/source.ts";
import type { Repointing } from "./repointing.ts";

/** Headers below an include folder. Those next to the file are plain paths. */
export function includes({ source, moved }: Repointing): readonly Edit[] {
  return source.code.flatMap((token, index) => {
    if (token.kind !== "string" || textAt(source, index - 1) !== "include") return [];
    const written = token.text.slice(1, -1);
    const move = moved.find(
      ({ from, to }) => from.endsWith(`/${written}`) && to.startsWith(from.slice(0, -written.length)),
    );
    if (move === undefined) return [];
    return [{ from: token.from + 1, to: token.to - 1, text: move.to.slice(move.from.length - written.length) }];
  });
}

export function packageImports({ source, moved }: Repointing): readonly Edit[] {
  const classes = moved.flatMap(({ from, to }) => {
    const [old, now] = [className(from), className(to)];
    return old === null || now === null ? [] : [{ from: old, to: now }];
  });
  return source.code.flatMap((token, index) => {
    const at = textAt(source, index + 1) === "static" ? index + 2 : index + 1;
    if (token.text !== "import" || source.code[at]?.kind !== "word") return [];
    for (const { from, to } of classes) {
      const chain = source.code.slice(at, at + 2 * from.split(".").length - 1);
      const [first, last] = [chain[0], chain.at(-1)];
      if (first === undefined || last === undefined || chain.map((part) => part.text).join("") !== from) continue;
      return [{ from: first.from, to: last.to, text: to }];
    }
    return [];
  });
}

/** `com.example.Cart`. */
function className(path: string): string | null {
  const inside = /(?:^|\/)(?:java|kotlin|scala|src)\/((?!main\/|test\/).+)\.(?:java|kt|scala)$/.exec(path)?.[1];
  return inside === undefined ? null : inside.replace(/\//g, ".");
}
