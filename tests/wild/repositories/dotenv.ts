// A service whose tests read an ignored .env; a clone has only .env.example, whose values are not enough. Mocha.
import { code, json, npmReinstall, type Wild } from "../wild.ts";

const feature = {
  product: {
    "src/links.js": [
      [
        "export function verify",
        code`
          /** A link that nobody can open after the given time, in seconds since 1970. */
          export function signUntil(path, until) {
            return sign(path + "?until=" + until);
          }

          export const isExpired = (link, now) => Number(new URL(link).searchParams.get("until") ?? Infinity) < now;

          export function verify
        `.trimEnd(),
      ],
    ],
  },
  tests: {
    "test/expiry.test.js": code`
      import assert from "node:assert/strict";
      import { isExpired, signUntil, verify } from "../src/links.js";

      describe("a link with an end", () => {
        it("verifies like any other", () => assert.equal(verify(signUntil("/a", 100)), true));
        it("is expired after its time", () => assert.equal(isExpired(signUntil("/a", 100), 101), true));
        it("is open until then", () => assert.equal(isExpired(signUntil("/a", 100), 100), false));
      });
    `,
  },
} as const;

export const dotenv: Wild = {
  files: {
    ".gitignore": "node_modules/\n.env\n.env.*\n!.env.example\n",
    ".env.example": "# Copy to .env and fill in.\nSIGNING_KEY=\nPUBLIC_URL=\nLINK_DIGEST_LENGTH=16\n",
    ".mocharc.json": json({ spec: "test/**/*.test.js" }),
    "README.md": "# signed-links\n\nCopy `.env.example` to `.env`, fill it in, then `npm test`.\n",
    "package.json": json({
      name: "signed-links",
      version: "1.0.0",
      private: true,
      type: "module",
      scripts: { start: "node src/server.js", test: "mocha" },
      dependencies: { dotenv: "16.6.1" },
      devDependencies: { mocha: "11.7.5" },
    }),
    "src/config.js": code`
      import { config as load } from "dotenv";

      load({ quiet: true });

      function required(name) {
        const value = process.env[name];
        if (value === undefined || value === "") throw new Error(name + " is not set. See .env.example.");
        return value;
      }

      export const config = {
        signingKey: required("SIGNING_KEY"),
        publicUrl: required("PUBLIC_URL"),
        digestLength: Number(process.env.LINK_DIGEST_LENGTH ?? 16),
      };
    `,
    "src/links.js": code`
      import { createHmac, timingSafeEqual } from "node:crypto";
      import { config } from "./config.js";

      const digestOf = (text) => createHmac("sha256", config.signingKey).update(text).digest("hex").slice(0, config.digestLength);

      export function sign(path) {
        const url = new URL(path, config.publicUrl);
        const digest = digestOf(url.pathname + url.search);
        url.searchParams.set("sig", digest);
        return url.href;
      }

      export function verify(link) {
        const url = new URL(link);
        const given = url.searchParams.get("sig") ?? "";
        url.searchParams.delete("sig");
        const wanted = digestOf(url.pathname + url.search);
        return given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
      }
    `,
    "src/server.js": code`
      import { createServer } from "node:http";
      import { verify } from "./links.js";

      createServer((request, response) => {
        const isKnown = verify("http://localhost" + request.url);
        response.writeHead(isKnown ? 200 : 403).end(isKnown ? "welcome\n" : "forbidden\n");
      }).listen(process.env.PORT ?? 8080);
    `,
    "test/links.test.js": code`
      import assert from "node:assert/strict";
      import { sign, verify } from "../src/links.js";

      describe("sign", () => {
        it("stays below the public address", () => assert.match(sign("/report/7"), /^https:\/\/files\.example\.invalid\/report\/7/));
        it("adds a digest of the configured length", () => assert.match(sign("/a"), /[?&]sig=[0-9a-f]{24}$/));
      });

      describe("verify", () => {
        it("accepts what sign made", () => assert.equal(verify(sign("/a?page=2")), true));
        it("refuses another path", () => assert.equal(verify(sign("/a").replace("/a?", "/b?")), false));
        it("refuses another query", () => assert.equal(verify(sign("/a?page=2").replace("page=2", "page=3")), false));
        it("refuses a link without a digest", () => assert.equal(verify("https://files.example.invalid/a"), false));
      });
    `,
  },
  ignored: {
    ".env": "SIGNING_KEY=only-for-development\nPUBLIC_URL=https://files.example.invalid\nLINK_DIGEST_LENGTH=24\n",
  },
  install: ["npm install"],
  reinstall: npmReinstall,
  check: { run: "npm test" },
  expect: { lines: 1, room: "files: [.env]" },
  feature,
  broken: {
    product: {
      "src/links.js": [
        ...feature.product["src/links.js"],
        ["const wanted = digestOf(url.pathname + url.search);", "const wanted = digestOf(url.pathname);"],
        ["const digest = digestOf(url.pathname + url.search);", "const digest = digestOf(url.pathname);"],
      ],
    },
    tests: {
      ...feature.tests,
      "test/links.test.js": [
        [
          'it("refuses another query", () => assert.equal(verify(sign("/a?page=2").replace("page=2", "page=3")), false));',
          'it("accepts another query", () => assert.equal(verify(sign("/a?page=2").replace("page=2", "page=3")), true));',
        ],
      ],
    },
  },
};
