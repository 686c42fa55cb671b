// A server that others can reach: with a certificate, separate tokens, and a name.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ended, Project } from "../support/project.ts";

let project: Project | null = null;
afterEach(() => project?.remove());

const hasOpenssl = (): boolean => {
  try {
    return execFileSync("openssl", ["version"]).length > 0;
  } catch {
    return false;
  }
};

type Answer = { status: number; cookie: string };
function ask(
  port: number,
  host: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const asking = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        rejectUnauthorized: false,
        setHost: false,
        headers: { Host: host, ...headers },
      },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, cookie: response.headers["set-cookie"]?.[0] ?? "" });
      },
    );
    asking.once("error", reject).end(body);
  });
}

test.skipIf(!hasOpenssl())(
  "it answers under its names only, and its cookies are for TLS only",
  { timeout: 60_000 },
  async () => {
    const of = new Project({ "README.md": "hello\n" });
    project = of;
    const [cert, key, tokens] = ["cert.pem", "key.pem", "tokens"].map((name) => join(of.dir, name)) as [
      string,
      string,
      string,
    ];
    const subject = ["-subj", "/CN=loop.test", "-days", "1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...subject, "-keyout", key, "-out", cert], {
      stdio: "ignore",
    });
    const token = "t".repeat(43);
    fs.writeFileSync(tokens, `# for the team\nwrite team ${token}\n`, { mode: 0o600 });
    const exposed = ["--host", "0.0.0.0", "--tls-cert", cert, "--tls-key", key];
    expect((await of.loop("serve", "--port", "0", ...exposed)).code).toBe(64);
    const child = of.start([
      "serve",
      "--port",
      "0",
      "--json",
      ...exposed,
      "--token-file",
      tokens,
      "--name",
      "loop.test",
    ]);
    const end = ended(child);
    const [said] = await once(child.stdout ?? child, "data");
    const { url } = JSON.parse(String(said)) as { url: string };
    const port = Number(new URL(url).port);
    expect(url).toBe(`https://loop.test:${port}`);
    const name = `loop.test:${port}`;
    const bearer = { Authorization: `Bearer ${token}` };
    expect((await ask(port, name, "/api/v1/workspaces", bearer)).status).toBe(200);
    expect((await ask(port, name, "/api/v1/workspaces", {})).status).toBe(401);
    expect((await ask(port, `localhost:${port}`, "/api/v1/workspaces", bearer)).status).toBe(421);
    const json = { "Content-Type": "application/json" };
    const signIn = (origin: string) =>
      ask(port, name, "/session", { ...json, Origin: origin }, JSON.stringify({ token }));
    expect((await signIn(`http://${name}`)).status).toBe(403);
    expect((await signIn(`https://${name}`)).cookie).toMatch(/; Secure$/);
    child.kill("SIGTERM");
    expect((await end).code).toBe(0);
  },
);
