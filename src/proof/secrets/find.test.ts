import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../testing/world/random.ts";
import { findSecrets } from "./find.ts";
import type { AddedLine } from "./secret.ts";

const choose = seeded(7);
const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const drawn = (length: number, alphabet = alnum): string =>
  Array.from({ length }, () => alphabet[choose.below(alphabet.length)]).join("");
const hex = (length: number): string => drawn(length, "0123456789abcdef");

const options = { isTest: (path: string) => path.startsWith("test/"), isLockfile: (path: string) => path === "a.lock" };
const linesOf = (text: string, path = "src/a.js"): AddedLine[] =>
  text.split("\n").map((each, at) => ({ path, line: at + 1, text: each }));
const found = (text: string, path?: string) => findSecrets(linesOf(text, path), options);

describe("a private key", () => {
  const body = Array.from({ length: 8 }, () => drawn(64, `${alnum}+/`)).join("\n");
  const pem = (kind: string): string => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;

  test.each([
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
  ])("%s refuses, as one hit", (kind) => {
    expect(found(pem(kind))).toMatchObject([{ what: "private key", sure: true, line: 1 }]);
  });

  test.each([
    { what: "of PGP, with headers", text: `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${body}` },
    { what: "with headers", text: `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\n${body}` },
    { what: "in a service account", text: `"private_key": "-----BEGIN PRIVATE KEY-----\\n${drawn(64)}\\n…"` },
    { what: "put together in code", text: `const key = "-----BEGIN PRIVATE KEY-----\\n" +\n  "${drawn(64)}\\n" +` },
    { what: "of PuTTY", text: `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 2\n${drawn(64)}` },
  ])("$what refuses", ({ text }) => {
    expect(found(text)[0]).toMatchObject({ what: "private key", sure: true });
  });

  test("is a question if only its heading is there, or in a test", () => {
    expect(found('if (text.includes("-----BEGIN PRIVATE KEY-----")) return;')).toMatchObject([{ sure: false }]);
    expect(found(pem("PRIVATE KEY"), "test/tls.test.js")).toMatchObject([{ sure: false }]);
  });

  test("is not a certificate or a public key", () => {
    expect(found(pem("CERTIFICATE"))).toEqual([]);
    expect(found(pem("PUBLIC KEY"))).toEqual([]);
  });

  test("without an end does not hide the rest of the file", () => {
    const rest = Array.from({ length: 200 }, () => "x = 1").join("\n");
    const hits = found(`-----BEGIN CERTIFICATE-----\n${rest}\nconst key = "${drawn(40)}";`);
    expect(hits).toMatchObject([{ what: "random value" }]);
  });
});

describe("a password in a URL", () => {
  const password = drawn(16);
  test.each(["postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqps", "https", "ftp", "smtp"])(
    "of %s is a question, and is not shown",
    (scheme) => {
      const hits = found(`url = "${scheme}://app:${password}@db.acme.io:5432/main"`);
      expect(hits).toMatchObject([{ what: "password in an address", sure: false }]);
      expect(JSON.stringify(hits)).not.toContain(password);
    },
  );

  test.each([
    "postgres://postgres:postgres@localhost:5432/test",
    `postgres://app:${password}@localhost/test`,
    `postgres://app:${password}@127.0.0.1/test`,
    `postgres://app:${password}@db/test`,
    `https://user:${password}@example.com/x`,
    "https://user:password@api.acme.io",
    "https://admin:changeme@api.acme.io",
    `https://user:${"$"}{PASSWORD}@api.acme.io`,
    "https://user:%s@api.acme.io",
    "https://user:<password>@api.acme.io",
    "https://user:***@api.acme.io",
    "see http://a.io:8080/x and mail me@b.io",
  ])("%s has none", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("a random value", () => {
  test.each([
    { what: "named as a secret", text: `const apiKey = "${drawn(40)}";` },
    { what: "named as anything", text: `const x = "${drawn(40)}";` },
    { what: "behind a word", text: `token: acme_live_${drawn(32)}` },
    { what: "inside of a path", text: `fetch("https://api.acme.io/v1/projects/reports/${drawn(32)}/download/latest")` },
    { what: "in hexadecimal", text: `API_TOKEN=${hex(40)}` },
    { what: "called a key of a commit", text: `commit_token = "${hex(40)}"` },
  ])("$what is a question", ({ text }) => {
    expect(found(text)).toMatchObject([{ what: "random value", sure: false }]);
  });

  test.each([
    { what: "a git id", text: `commit ${hex(40)}` },
    { what: "an action at a git id", text: `uses: actions/checkout@${hex(40)} # v4` },
    { what: "a link to a commit", text: `[x](https://github.com/a/b/commit/${hex(40)})` },
    { what: "a hash with its name", text: `"contentHash": "${hex(64)}",` },
    { what: "an image by its digest", text: `FROM node@sha256:${hex(64)}` },
    { what: "an integrity hash", text: `integrity="sha384-${drawn(64)}"` },
    { what: "what a hash function has to give", text: `assert.equal(sha256("abc"), "${hex(64)}");` },
    { what: "a UUID", text: `id: ${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}` },
    { what: "an alphabet", text: `const alphabet = "${alnum}+/";` },
    { what: "a sequence", text: 'const hex = "0123456789abcdef0123456789abcdef";' },
    { what: "a picture", text: `url(data:image/png;base64,${drawn(300)})` },
    { what: "a long name", text: "const x = await createTemporaryDirectoryForIntegrationTest2024(options);" },
    { what: "a target", text: 'target: "x86_64-unknown-linux-gnu-2_17-manylinux2014"' },
    { what: "a path", text: 'import x from "../../packages/core-v2/src/http2/h2-session/index.js";' },
  ])("$what is none", ({ text }) => {
    expect(found(text)).toEqual([]);
  });

  test("is ordinary in a lockfile", () => {
    expect(found(`resolution: ${drawn(64)}`, "a.lock")).toEqual([]);
  });
});

test("any text is read to its end, quickly", () => {
  fc.assert(fc.property(fc.string({ maxLength: 3000 }), (text) => void found(text)));
  for (const unit of ["aws secret key ", "a", "A1", "-----BEGIN ", "x://y:", "eyJ", "sk-", "a/", "=", "{a:1},"])
    found(unit.repeat(200_000 / unit.length));
});
