// What the shapes of JSON answers are made of.
import { z } from "zod";

/** Milliseconds since 1970 inside; a time in UTC in the answer. */
export const time = z
  .number()
  .transform((ms) => new Date(ms).toISOString())
  .pipe(z.iso.datetime());

/** A list that a caller may have declared as readonly. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();
export const texts = list(z.string());

/** An object that has its own name on the page. */
export const named = <Fields extends z.ZodRawShape>(id: string, fields: Fields) => z.object(fields).meta({ id });

export type Answer<Fields extends z.ZodRawShape = z.ZodRawShape> = {
  /** The commands that print it. */
  readonly title: string;
  readonly says: string;
  /** It has the keys of a run, and these. */
  readonly isRun: boolean;
  readonly shape: z.ZodObject<Fields>;
};

export const answer = <Fields extends z.ZodRawShape>(title: string, says: string, fields: Fields): Answer<Fields> => ({
  title,
  says,
  isRun: false,
  shape: z.object(fields),
});
