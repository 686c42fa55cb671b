// What waits for a person, as JSON.
import type { z } from "zod";
import type { Waiting } from "../../engines/waiting.ts";
import type { inboxItem } from "./run-shape.ts";

export const inboxFacts = ({
  runId,
  about,
  kind,
  what,
  rootCause,
  supposition,
  next,
}: Waiting): z.input<typeof inboxItem> => ({
  run: runId,
  feature: about === "run" || kind === "gate" ? null : about,
  kind,
  text: what,
  rootCause,
  supposition,
  next,
});
