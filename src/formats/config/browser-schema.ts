// The schema of a browser check in loop.yaml: its start address, its server, and its steps as data.
import { z } from "zod";
import { isPlainName } from "../../core/ids.ts";
import { hasControl } from "../text/safe-names.ts";

const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !hasControl(text), "must be one line without control characters");
const command = z
  .string()
  .max(10_000)
  .refine((text) => text.trim() !== "" && !text.includes("\u0000"), "must be a command");
const positive = z.number().positive();
const selector = z.string().min(1).max(1000);
const address = line(2000);
const steps = z.array(
  z.union([
    z.strictObject({ goto: address.describe("Go to an address, or to a path of the url.") }),
    z.strictObject({
      fill: z
        .strictObject({
          selector: selector.describe("Which field."),
          value: z.string().max(10_000).describe("What to put in."),
        })
        .describe("Put a value into a field."),
    }),
    z.strictObject({ click: selector.describe("Click on the element.") }),
    z.strictObject({
      press: z
        .union([
          line(50),
          z.strictObject({ selector: selector.describe("Where."), key: line(50).describe("Which key.") }),
        ])
        .describe("Press a key, such as Enter."),
    }),
    z.strictObject({
      expect_text: z
        .union([
          line(2000),
          z.strictObject({
            selector: selector.optional().describe("Where; anywhere, when not given."),
            text: line(2000).describe("What it has to say."),
          }),
        ])
        .describe("The text is there, within 5 seconds."),
    }),
    z.strictObject({ expect_url: address.describe("The page is at this address, or at this path of the url.") }),
    z.strictObject({
      expect_count: z
        .strictObject({
          selector: selector.describe("Which elements."),
          count: z.int().min(0).describe("How many there have to be."),
        })
        .describe("So many elements are there, within 5 seconds."),
    }),
    z.strictObject({ wait_for: selector.describe("Wait until the element can be seen.") }),
    z.strictObject({
      screenshot: z.string().refine(isPlainName, "must be a plain name").describe("Keep a picture under this name."),
    }),
  ]),
);
export const browserSchema = z
  .strictObject({
    url: address.optional().describe("Where it begins: an address on this machine, or a file. {port} is a free port."),
    server: z
      .strictObject({
        run: command.describe("The command line that starts the server; {port} and $PORT are a free port."),
        ready: z
          .union([address, z.int().min(1).max(65_535)])
          .describe("An address that answers, a port, or a text that it prints, once it is ready."),
        timeout_s: positive.max(3600).optional().describe("Seconds until it has to be ready; 60, when not given."),
      })
      .optional()
      .describe("Started before the steps and always stopped after them."),
    steps: steps.min(1).max(200).describe("What to do, and what to expect, in this order."),
    allow_hosts: z
      .array(z.string().regex(/^(?:\*\.)?[A-Za-z0-9.-]{1,253}$/, "must be a host name"))
      .max(100)
      .optional()
      .describe("Hosts that pages may reach; without them, this machine only."),
  })
  .refine(({ url, steps: list }) => url !== undefined || "goto" in (list[0] ?? {}), {
    path: ["url"],
    message: "is needed, or a goto as the first step",
  });
