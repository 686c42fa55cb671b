// The environment of a child process: a few variables, by name.

const always = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TERM", "TMPDIR", "TZ", "SHELL"];
const families = [/^LC_[A-Z]+$/, /^XDG_[A-Z]+_HOME$/];

/** An allow-list: a key, a token or the marker of an outer run is never passed on unless a person named it. */
export function baseEnv(names: readonly string[] = [], from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    if (always.includes(name) || names.includes(name) || families.some((family) => family.test(name)))
      env[name] = value;
  }
  return env;
}
