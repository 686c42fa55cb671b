// What the server tells a driver, and what it hears back.
import { z } from "zod";
import { autonomy, limits } from "../formats/config/loop-schema.ts";

export const driverOrder = z.strictObject({
  root: z.string(),
  job: z.discriminatedUnion("do", [
    z.strictObject({
      do: z.literal("begin"),
      /** The run is begun once, however often this is ordered. */
      run: z.string(),
      task: z.string().nullable(),
      request: z.string().nullable(),
      flags: z.strictObject({ limits: limits.optional(), autonomy }),
      yes: z.boolean(),
    }),
    z.strictObject({ do: z.literal("resume"), run: z.string(), limits: limits.nullable() }),
  ]),
});
export type Order = z.infer<typeof driverOrder>;

export const driverNews = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("begun"), run: z.string() }),
  z.strictObject({
    is: z.literal("refused"),
    code: z.string(),
    what: z.string(),
    why: z.string(),
    next: z.string(),
  }),
]);
export type DriverNews = z.infer<typeof driverNews>;
