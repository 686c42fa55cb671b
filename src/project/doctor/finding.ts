// One line of the doctor's answer, and looks that do not stop each other.
import { UserError } from "../../core/errors.ts";

export type Finding = {
  readonly what: string;
  readonly is: "good" | "bad" | "note";
  readonly says: string;
  readonly next?: string;
};

/** A mistake is a finding about `what`; it does not keep the other looks from being taken. */
export async function found(what: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ what, is: "bad", says: error.why, next: error.next }];
  }
}
