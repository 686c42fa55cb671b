// Where a browser check may go: this machine, files, and the hosts that the contract names. Part of the program.

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const local = ["file:", "data:", "blob:", "about:"];

/** @param {readonly string[]} more */
export const hostsAllowed = (more) => [...loopback, "*.localhost", ...more];

/** @param {string} url @param {readonly string[]} allowHosts */
export function isAllowed(url, allowHosts) {
  let parsed;
  try {
    parsed = new URL(url);
  } catch {
    return false;
  }
  if (local.includes(parsed.protocol)) return true;
  const host = parsed.hostname.toLowerCase();
  if (loopback.includes(host) || host.endsWith(".localhost")) return true;
  return allowHosts.some((allowed) => {
    const name = allowed.toLowerCase();
    return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}
