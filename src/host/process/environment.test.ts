// Which environment variables are passed on, and which are not.
import { expect, test } from "vitest";
import { baseEnv } from "./environment.ts";

const ours = {
  PATH: "/bin",
  HOME: "/home/a",
  LC_ALL: "C",
  XDG_STATE_HOME: "/s",
  TZ: "UTC",
  ANTHROPIC_API_KEY: "k1",
  OPENAI_API_KEY: "k2",
  GITHUB_TOKEN: "t",
  LOOP_SESSION: "outer",
  NODE_OPTIONS: "--inspect",
  MY_PATH: "x",
};

test("only the base is passed on", () => {
  expect(baseEnv([], ours)).toEqual({ PATH: "/bin", HOME: "/home/a", LC_ALL: "C", XDG_STATE_HOME: "/s", TZ: "UTC" });
});

test("a key is passed on only when it is named", () => {
  const env = baseEnv(["OPENAI_API_KEY", "NOT_SET"], ours);
  expect(env).toMatchObject({ OPENAI_API_KEY: "k2" });
  expect(Object.keys(env)).not.toContain("ANTHROPIC_API_KEY");
  expect(Object.keys(env)).not.toContain("NOT_SET");
});
