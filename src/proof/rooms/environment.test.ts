// Which parts of the person's environment a room gets.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roomEnvironment } from "./environment.ts";
import { toolPlaces } from "./tools.ts";

const order = { tools: {}, names: [], home: "/h", tmp: "/t", programs: [], at: (path: string) => path };
const own = { CI: "1", HOME: "/h", TMPDIR: "/t", PATH: "/usr/bin" };
const of = (person: Record<string, string>, more: object = {}) =>
  roomEnvironment({ ...order, ...more, person: { PATH: "/usr/bin", ...person } });

test.each([
  { LANG: "C.UTF-8", LC_ALL: "C", TZ: "UTC", USER: "pat" },
  { https_proxy: "http://p", NO_PROXY: "x", NODE_EXTRA_CA_CERTS: "/c.pem", npm_config_registry: "http://r" },
  { CARGO_REGISTRIES_OURS_INDEX: "x", PIP_INDEX_URL: "http://i", GOPROXY: "off" },
])("%o passes", (person) => {
  expect(of(person)).toEqual({ ...person, ...own });
});

test.each([
  { AWS_SECRET_ACCESS_KEY: "x", GITHUB_TOKEN: "x", ANTHROPIC_API_KEY: "x", CARGO_REGISTRIES_OURS_TOKEN: "x" },
  { NO_COLOR: "1", FORCE_COLOR: "1", NODE_OPTIONS: "--require x", NODE_ENV: "test", LD_PRELOAD: "x", BASH_ENV: "x" },
  {
    HOME: "/home/pat",
    TMPDIR: "/x",
    XDG_CONFIG_HOME: "/x",
    SSH_AUTH_SOCK: "/x",
    LOOP_RUN: "x",
    GIT_DIR: "/x",
    CI: "no",
  },
  { npm_config_ignore_scripts: "false", npm_package_name: "x", PYTHONPATH: "/x", PYTEST_ADDOPTS: "x" },
])("%o does not pass", (person) => {
  expect(of(person)).toEqual(own);
});

test("any name that the terms list passes", () => {
  expect(of({ API_TOKEN: "t", OTHER: "o" }, { names: ["API_TOKEN", "MISSING"] })).toEqual({ ...own, API_TOKEN: "t" });
});

test("PATH begins with the room's programs, and paths of the workspace become paths of the room", () => {
  const at = (path: string) => path.replace("/ws", "/room");
  const env = of(
    { PATH: "/ws/node_modules/.bin:relative:/usr/bin", VIRTUAL_ENV: "/ws/.venv" },
    { programs: ["/b"], at },
  );
  expect(env).toMatchObject({ PATH: "/b:/room/node_modules/.bin:/usr/bin", VIRTUAL_ENV: "/room/.venv" });
});

test("names a tool in the home, because the room's home has none", () => {
  const home = mkdtempSync(join(tmpdir(), "loop-home-"));
  try {
    for (const dir of [".cargo", ".nvm", "go"]) mkdirSync(join(home, dir));
    expect(toolPlaces({ GOPATH: "/opt/go", JAVA_HOME: "/jdk" }, home)).toEqual({
      env: { CARGO_HOME: join(home, ".cargo"), GOPATH: "/opt/go", NVM_DIR: join(home, ".nvm"), JAVA_HOME: "/jdk" },
      written: [join(home, ".cargo")],
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});
