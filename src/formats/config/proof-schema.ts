// The keys of loop.yaml about proving work: what is product, what a clean checkout needs, how deep to look.
import { z } from "zod";
import { command, envNames, homePaths, ownPaths, paths } from "./yaml-values.ts";

const setupObject = z.strictObject({
  run: command.describe("The command line that installs the dependencies."),
  env: envNames.optional().describe("Names of environment variables that this command alone gets."),
  home: homePaths.optional().describe("Paths below your home that this command alone gets, such as .npmrc."),
});

const room = z.strictObject({
  files: ownPaths.optional().describe("Ignored files and folders, as they are before the first session."),
  env: envNames.optional().describe("Names of environment variables that checks get."),
  home: homePaths.optional().describe("Paths below your home that checks get."),
  outside: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Folders outside of the project that checks, and agents inside walls, may see, as they are: ".." or "../shared".',
    ),
});

const proof = z.strictObject({
  depth: z
    .enum(["quick", "standard", "deep"])
    .optional()
    .describe("How many ways a change is tried: quick, standard, or deep."),
  strength: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("The share of taken-back pieces of a change that the tests must notice, from 0 to 1."),
});

export const proofKeys = {
  product: paths.optional().describe("Globs of files that features may change; every other file is protected."),
  setup: z
    .union([command, setupObject])
    .optional()
    .describe("How dependencies are installed; detected from the lockfile when not given."),
  build: z
    .union([z.literal(""), command])
    .optional()
    .describe('A command line that runs in every clean checkout before the checks; "": none. Detected when not given.'),
  room: room
    .optional()
    .describe("What a clean checkout needs in addition to tracked files and installed dependencies."),
  proof: proof.optional().describe("How thoroughly a change is proved."),
  allow: z
    .enum(["person", "checker", "never"])
    .optional()
    .describe("Who may let a feature change a protected test: you, the checker, or no one."),
};
