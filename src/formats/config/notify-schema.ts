// The keys of loop.yaml about telling a person: which ways, and where to.
import { z } from "zod";
import { isEnvName } from "../text/safe-names.ts";
import { line } from "./yaml-values.ts";

const url = z
  .string()
  .max(2000)
  .refine((text) => /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text), "must be an address: https://…");

const ntfy = z.strictObject({
  topic: z
    .string()
    .regex(/^[-\w]{1,64}$/, "must be a topic: letters, digits, - and _, at most 64")
    .describe(
      "The topic that your phone subscribes to. Who knows it can read it and answer: choose a long random one.",
    ),
  url: url.optional().describe("The server; https://ntfy.sh when not given."),
  token_env: z
    .string()
    .refine(isEnvName, "must be the name of a variable")
    .optional()
    .describe("The name of the variable with the access token."),
  answers: z
    .boolean()
    .optional()
    .describe(
      "Buttons approve or reject a gate. The run then stays open at a gate, and asks the server for the answer: no port is opened.",
    ),
});

export const notifySchema = z.strictObject({
  bell: z.boolean().optional().describe("Ring the terminal's bell; true when not given."),
  title: z.boolean().optional().describe("Show the state in the terminal's title; true when not given."),
  desktop: z
    .boolean()
    .optional()
    .describe("A message on the desktop: notify-send, or osascript on macOS (not tested there)."),
  command: z
    .array(line(10_000))
    .min(1)
    .max(100)
    .optional()
    .describe(
      "A program and its arguments, started in your folder; it gets the message as JSON on standard input. Files of the folder that it names count only as they were when the run began.",
    ),
  webhook: url.optional().describe("An address that gets the message as JSON by POST."),
  ntfy: ntfy.optional().describe("A push message to a phone, over ntfy."),
});
