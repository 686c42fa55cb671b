// A person's own provider in codex's config.toml: codex has no login then, and none is needed.
import { join } from "node:path";
import { readIfExists } from "../../host/disk.ts";
import type { HostEnv } from "../cli/cli-env.ts";
import { codexHome } from "./home.ts";

/** `keyEnv`: the variable with its key; null: it needs none. */
export type OwnProvider = { readonly name: string; readonly keyEnv: string | null };

/** Null: codex uses its usual one, or its configuration cannot be read. */
export function ownProvider(env: HostEnv): OwnProvider | null {
  const text = read(join(codexHome(env), "config.toml"));
  const [top = ""] = text.split(/^\s*\[/m, 1);
  const name = /^\s*model_provider\s*=\s*["']([\w.-]+)["']/m.exec(top)?.[1];
  if (name === undefined || name === "openai") return null;
  const table = text
    .split(/^(?=\s*\[)/m)
    .find((part) => /^\s*\[model_providers\.["']?([\w.-]+?)["']?\]/.exec(part)?.[1] === name);
  const keyEnv = /^\s*env_key\s*=\s*["'](\w+)["']/m.exec(table ?? "")?.[1] ?? null;
  return table === undefined ? null : { name, keyEnv };
}

function read(path: string): string {
  try {
    return readIfExists(path) ?? "";
  } catch {
    return "";
  }
}
