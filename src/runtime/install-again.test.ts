// The command that brings a person's installed packages up to date.
import { expect, test } from "vitest";
import { installAgain } from "./install-again.ts";

test.each([
  { changed: ["src/a.ts", "package.json"], says: null },
  { changed: ["Cargo.lock", "go.sum"], says: null },
  { changed: ["package-lock.json", "src/a.ts"], says: "package-lock.json changed. In your folder: npm ci" },
  { changed: ["web/pnpm-lock.yaml"], says: "web/pnpm-lock.yaml changed. In your folder: (cd 'web' && pnpm install)" },
  {
    changed: ["it's/yarn.lock", "uv.lock"],
    says: "it's/yarn.lock, uv.lock changed. In your folder: (cd 'it'\\''s' && yarn install); uv sync",
  },
])("$changed gives $says", ({ changed, says }) => {
  expect(installAgain(changed, null)).toBe(says);
});

test("a configured setup wins", () => {
  expect(installAgain(["yarn.lock"], { run: "make deps" })).toBe("yarn.lock changed. In your folder: make deps");
});
