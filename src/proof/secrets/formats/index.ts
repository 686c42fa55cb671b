// All known formats of secrets. The first that matches a text names it.
import type { Format } from "../format.ts";
import { cloudFormats } from "./clouds.ts";
import { codeFormats } from "./code.ts";
import { modelFormats } from "./models.ts";
import { serviceFormats } from "./services.ts";

export const formats: readonly Format[] = [...codeFormats, ...modelFormats, ...serviceFormats, ...cloudFormats];
