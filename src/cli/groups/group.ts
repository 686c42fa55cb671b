// What the groups of commands share.
import type { Command } from "commander";
import type { GlobalFlags } from "../context.ts";

/** Takes the exit code of the command that ran. */
export type Done = (code: number) => void;

export const flagsOf = (command: Command): GlobalFlags => command.optsWithGlobals();

/** For an option that may be repeated. With `<value...>` it would swallow a request that comes after it. */
export const oneMore = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
