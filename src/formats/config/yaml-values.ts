// The kinds of values in loop.yaml, each with the message for an invalid value.
import { z } from "zod";
import { hasControl, isEnvName, isInside, isOwnFolder } from "../text/safe-names.ts";

export const line = (max = 1000) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !hasControl(text), "must be one line without control characters");
export const command = z
  .string()
  .max(10_000)
  .refine((text) => text.trim() !== "" && !text.includes("\u0000"), "must be a command");
export const path = z.string().refine(isInside, "must be a path inside the workspace, with / and without ..");
export const paths = z.array(path).max(500);
/** Paths copied into a clean checkout, where the loop has its own `.git`. */
export const ownPaths = z
  .array(z.string().refine(isOwnFolder, "must be a path inside the workspace, outside .git and .loop"))
  .max(500);
export const homePaths = z
  .array(z.string().refine(isInside, "must be a path below your home, such as .npmrc, with / and without .."))
  .max(100);
// The message must not repeat the value: people write NAME=secret here.
export const envNames = z
  .array(z.string().refine(isEnvName, "must be names of variables only, never NAME=value"))
  .max(200);
export const positive = z.number().positive();
export const count = z.int().min(1);
