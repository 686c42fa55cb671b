// Which addresses a page in a browser check may load.
import { expect, test } from "vitest";

// Imported through a variable, because the plain .mjs program has no types.
const program = new URL("../../src/checks/browser/network.mjs", import.meta.url).href;
const { isAllowed } = (await import(program)) as { isAllowed(url: string, hosts: readonly string[]): boolean };

test.each([
  ["http://localhost:3000/a", true],
  ["http://127.0.0.1/", true],
  ["https://[::1]:8443/", true],
  ["ws://app.localhost/live", true],
  ["file:///srv/page.html", true],
  ["data:text/plain,a", true],
  ["about:blank", true],
  ["https://api.example.org/v1", true],
  ["https://API.example.org./v1", false],
  ["https://cdn.static.example/x.js", true],
  ["https://static.example/x.js", false],
  ["https://example.org/", false],
  ["https://api.example.org.evil.example/", false],
  ["http://127.0.0.1@evil.example/", false],
  ["http://127.0.0.1.evil.example/", false],
  ["http://localhost.evil.example/", false],
  ["http://10.0.0.1/", false],
  ["http://0x7f.1/", true], // 127.0.0.1 in another notation.
  ["ftp://example.org/", false],
  ["not an address", false],
])("%s: %s", (url, allowed) => {
  expect(isAllowed(url, ["api.example.org", "*.static.example"])).toBe(allowed);
});
