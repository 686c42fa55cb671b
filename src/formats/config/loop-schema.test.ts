import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type JsonSchema, loopJsonSchema } from "./loop-schema.ts";

const file = fileURLToPath(new URL("../../../schema/loop.json", import.meta.url));
const generated = `${JSON.stringify(loopJsonSchema(), null, 2)}\n`;

describe("schema/loop.json", () => {
  test("is what the code generates", () => {
    if (process.env["UPDATE_SCHEMA"] === "1") writeFileSync(file, generated);
    const how =
      "schema/loop.json is out of date: run UPDATE_SCHEMA=1 npx vitest run src/formats/config/loop-schema.test.ts";
    expect(readFileSync(file, "utf8"), how).toBe(generated);
  });

  test("describes every key, and allows no other", () => {
    const silent: string[] = [];
    const look = (schema: JsonSchema, name: string): void => {
      const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
      if (properties.length > 0) expect(schema["additionalProperties"], name).toBe(false);
      for (const [key, below] of properties) {
        if (typeof below["description"] !== "string") silent.push(`${name}.${key}`);
        look(below, `${name}.${key}`);
      }
      for (const branch of (schema["anyOf"] ?? []) as JsonSchema[]) look(branch, name);
      if (schema["items"] !== undefined) look(schema["items"] as JsonSchema, `${name}[]`);
    };
    look(loopJsonSchema(), "");
    expect(silent).toEqual([]);
  });
});
