// The public names of a file: functions, methods and exports, by the rules of its language.
import { bodies } from "../source/index.ts";

const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

/** Functions and methods that others can call, and the types in a declaration file. */
export function publicNames(path: string, text: string): string[] {
  if (path.endsWith(".d.ts")) return found(text, declared);
  const names = [...new Set(bodies(path, text).map(({ name }) => name))].filter((name) => /^\w+$/.test(name));
  return [...new Set([...names.filter((name) => isPublic(path, text, name)), ...methods(path, text)])];
}

/** Names that a file exports. */
export function exportedNames(path: string, text: string): readonly string[] {
  if (path.endsWith(".py")) {
    const lists = [...text.matchAll(/^__all__\s*\+?=\s*[[(]([^\])]*)/gm)].map(([, list = ""]) => list);
    return lists.flatMap((list) => found(list, /["'](\w+)["']/g));
  }
  if (!isScript(path)) return [];
  const lists = [...text.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}|\bmodule\.exports\s*=\s*\{([^}]*)\}/g)];
  const listed = lists.flatMap(([, named, common]) => [
    ...(named ?? "").split(",").map(
      (entry) =>
        entry
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? "",
    ),
    ...(common ?? "").split(",").map((entry) => /^\s*(\w+)\s*(?:[:(]|$)/.exec(entry)?.[1] ?? ""),
  ]);
  const direct = found(text, /\bexport\s+(?:default\s+)?(?:async\s+)?(?:function\*?|const|let|var|class)\s+(\w+)/g);
  const assigned = found(text, /(?:^|[^\w.])(?:module\.)?exports\.(\w+)\s*=/g);
  return [...new Set([...listed, ...direct, ...assigned])].filter((name) => /^\w+$/.test(name));
}

/** Entries of dispatch tables: branches of a switch or a case, functions in an object. */
export function entries(path: string, text: string): readonly string[] {
  if (/\.(?:sh|bash)$/.test(path) || /^#!.*\b(?:ba)?sh\b/.test(text))
    return found(text, /^[ \t]*["']?([\w-]+)["']?\)(?:[ \t]|$)/gm);
  const branches = found(text, /^[ \t]*case[ \t]+["']([\w-]+)["']/gm);
  const functions = found(
    text,
    /^[ \t]+["']?([\w-]+)["']?[ \t]*:[ \t]*(?:(?:async[ \t]+)?(?:function\b|\([^)\n]*\)[ \t]*=>|\w+[ \t]*=>)|lambda\b)/gm,
  );
  return [...new Set([...branches, ...functions])];
}

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);

const declared = /^\s*export\s+(?:declare\s+)?(?:function|const|let|class|interface|type|enum)\s+(\w+)/gm;

/** Methods of classes; a leading underscore or hash marks a private one. */
function methods(path: string, text: string): string[] {
  if (path.endsWith(".py")) return found(text, /^[ \t]+(?:async )?def ([a-zA-Z]\w*)\((?:self|cls)\b/gm);
  if (!isScript(path) || !/\bclass\b/.test(text)) return [];
  const heads = found(
    text,
    /^[ \t]+(?:(?:public|static|async|get|set|override)\s+)*([a-zA-Z]\w*)\s*\([^)\n]*\)[^\n=;]*\{/gm,
  );
  return heads.filter((name) => !/^(?:if|for|while|switch|catch|function|constructor|return|with|do|else)$/.test(name));
}

function isPublic(path: string, text: string, name: string): boolean {
  if (isScript(path))
    return new RegExp(
      `\\bexport\\s+(?:default\\s+)?(?:async\\s+)?(?:function\\*?|const|let|var|class)\\s+${name}\\b|\\bexport\\s*\\{[^}]*\\b${name}\\b|\\bexports\\.${name}\\b|\\bmodule\\.exports\\s*=\\s*\\{[^}]*\\b${name}\\b`,
    ).test(text);
  if (path.endsWith(".py")) return !name.startsWith("_") && new RegExp(`^(?:async )?def ${name}\\b`, "m").test(text);
  if (path.endsWith(".go")) return /^[A-Z]/.test(name);
  if (path.endsWith(".rs")) return new RegExp(`\\bpub(?:\\([^)]*\\))?\\s+(?:\\w+\\s+)*fn\\s+${name}\\b`).test(text);
  return false;
}
