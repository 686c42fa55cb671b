// Tools that live in the person's home: rooms have an empty home, so variables name their folders instead.
import { isAbsolute, join } from "node:path";
import { statIfExists } from "../../host/disk.ts";

/** `writes`: it writes into its own folder while it runs, to lock or to unpack something. */
type Tool = { readonly name: string; readonly at: string | null; readonly writes?: true };

/** The variable that names the tool, and its usual place below the home; null: it has none. */
const tools: readonly Tool[] = [
  { name: "CARGO_HOME", at: ".cargo", writes: true },
  { name: "RUSTUP_HOME", at: ".rustup", writes: true },
  { name: "GOPATH", at: "go", writes: true },
  { name: "GOMODCACHE", at: null, writes: true },
  { name: "GOROOT", at: null },
  { name: "PYENV_ROOT", at: ".pyenv", writes: true },
  { name: "PYTHONUSERBASE", at: ".local" },
  { name: "UV_PYTHON_INSTALL_DIR", at: ".local/share/uv/python" },
  { name: "CONDA_PREFIX", at: null },
  { name: "NVM_DIR", at: ".nvm" },
  { name: "FNM_DIR", at: null },
  { name: "VOLTA_HOME", at: ".volta", writes: true },
  { name: "COREPACK_HOME", at: ".cache/node/corepack", writes: true },
  { name: "PNPM_HOME", at: null },
  { name: "BUN_INSTALL", at: ".bun" },
  { name: "DENO_DIR", at: ".cache/deno", writes: true },
  { name: "ASDF_DIR", at: null },
  { name: "ASDF_DATA_DIR", at: ".asdf" },
  { name: "MISE_DATA_DIR", at: ".local/share/mise", writes: true },
  { name: "RBENV_ROOT", at: ".rbenv" },
  { name: "GEM_HOME", at: null },
  { name: "GEM_PATH", at: null },
  { name: "SDKMAN_DIR", at: ".sdkman" },
  { name: "JAVA_HOME", at: null },
  { name: "GRADLE_USER_HOME", at: ".gradle", writes: true },
  { name: "ANDROID_HOME", at: null },
  { name: "DOTNET_ROOT", at: ".dotnet" },
  { name: "NUGET_PACKAGES", at: ".nuget/packages", writes: true },
  { name: "PLAYWRIGHT_BROWSERS_PATH", at: ".cache/ms-playwright" },
  { name: "PUPPETEER_CACHE_DIR", at: ".cache/puppeteer" },
  { name: "CYPRESS_CACHE_FOLDER", at: ".cache/Cypress" },
];

export type ToolPlaces = {
  readonly env: Readonly<Record<string, string>>;
  /** Folders that need to be writable for the tool to work. */
  readonly written: readonly string[];
};

/** From the person's environment, or else where the tool itself would look. */
export function toolPlaces(person: NodeJS.ProcessEnv, home: string): ToolPlaces {
  const env: Record<string, string> = {};
  const written = new Set<string>();
  for (const { name, at, writes } of tools) {
    const path = person[name] ?? (at === null || !isFolder(join(home, at)) ? undefined : join(home, at));
    if (path === undefined) continue;
    // The folder counts only if user packages were installed into it.
    if (name === "PYTHONUSERBASE" && person[name] === undefined && !isFolder(join(path, "lib"))) continue;
    env[name] = path;
    if (writes === true && isAbsolute(path) && isFolder(path)) written.add(path);
  }
  return { env, written: [...written].filter((path) => ![...written].some((other) => path.startsWith(`${other}/`))) };
}

const isFolder = (path: string): boolean => statIfExists(path)?.isDirectory() ?? false;
