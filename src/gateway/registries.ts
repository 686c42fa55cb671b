// The hosts that an agent with network: registry reaches: package registries, and git hosts over https.

export const registries: readonly string[] = [
  ...["registry.npmjs.org", "registry.yarnpkg.com", "repo.yarnpkg.com"],
  ...["pypi.org", "files.pythonhosted.org"],
  ...["crates.io", "index.crates.io", "static.crates.io", "static.rust-lang.org"],
  ...["proxy.golang.org", "sum.golang.org"],
  ...["github.com", "codeload.github.com", "objects.githubusercontent.com", "raw.githubusercontent.com"],
  ...["gitlab.com", "bitbucket.org", "codeberg.org"],
];

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const target = new RegExp(`^(${label}(?:\\.${label})*):([1-9][0-9]{0,4})$`);

type Target = { readonly host: string; readonly port: number };

/** A name and a port, and nothing else: no user, no trailing dot, no brackets, no other spelling of a number. */
export function targetOf(asked: string): Target | null {
  const [, host, port] = target.exec(asked.toLowerCase()) ?? [];
  if (host === undefined || host.length > 253 || Number(port) > 65_535) return null;
  return { host, port: Number(port) };
}

/** A host without a port means https. An address is a host only where a person has named it. */
export const isRegistry = ({ host, port }: Target, hosts: readonly string[]): boolean =>
  hosts.some((one) => (one.includes(":") ? one.toLowerCase() === `${host}:${port}` : isNamed(one, host, port)));

const isNamed = (one: string, host: string, port: number): boolean => port === 443 && one.toLowerCase() === host;
