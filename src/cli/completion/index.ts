// loop completion: a script for the user's shell.
import type { Command } from "commander";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { placesOf } from "./words.ts";
import { zshScript } from "./zsh.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const completionFor = (shell: Shell, program: Command): string => scripts[shell](placesOf(program));
