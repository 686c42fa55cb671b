// The environment of a child process: a few variables, by name.

const always = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TERM", "TMPDIR", "TZ", "SHELL"];
/** With which a person moves a toolchain to another folder. They hold paths, and no keys. */
export const toolVariables: readonly string[] = [
  ...["NVM_DIR", "FNM_DIR", "VOLTA_HOME", "PYENV_ROOT", "CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOROOT", "GOMODCACHE"],
  ...["BUN_INSTALL", "DENO_DIR", "DENO_INSTALL", "MISE_DATA_DIR", "ASDF_DATA_DIR", "PNPM_HOME", "JAVA_HOME"],
  ...["PLAYWRIGHT_BROWSERS_PATH"],
];
const families = [/^LC_[A-Z]+$/, /^XDG_[A-Z]+_HOME$/];

/** An allow-list: a key, a token or the marker of an outer run is never passed on unless a person named it. */
export function baseEnv(names: readonly string[] = [], from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    if (
      always.includes(name) ||
      toolVariables.includes(name) ||
      names.includes(name) ||
      families.some((family) => family.test(name))
    )
      env[name] = value;
  }
  return env;
}
