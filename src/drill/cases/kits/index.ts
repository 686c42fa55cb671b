// Every kit, and those that get each class in every variant.
import { go } from "./go.ts";
import { jest, mocha, node, vitest } from "./javascript.ts";
import type { Kit } from "./kit.ts";
import { pytest, unittest } from "./python.ts";
import { rust } from "./rust.ts";
import { shell } from "./shell.ts";

export const thoroughKits: readonly Kit[] = [node, vitest, pytest, unittest, shell];
export const sampledKits: readonly Kit[] = [jest, mocha, rust, go];
