// Slows down guessing: after some failures in a minute, an address is refused until the minute is over. A valid
// token is never refused, so that its owner cannot be locked out.
const failuresMax = 20;
const windowMs = 60_000;
const addressesMax = 10_000;

export class Failures {
  readonly #seen = new Map<string, { count: number; readonly until: number }>();

  /** Seconds until the address may try again; 0: it may. */
  waitS(address: string, now: number): number {
    const seen = this.#seen.get(address);
    if (seen === undefined || seen.until <= now || seen.count < failuresMax) return 0;
    return Math.ceil((seen.until - now) / 1000);
  }

  add(address: string, now: number): void {
    const seen = this.#seen.get(address);
    if (seen !== undefined && seen.until > now) seen.count += 1;
    else this.#seen.set(address, { count: 1, until: now + windowMs });
    if (this.#seen.size > addressesMax) this.#seen.clear();
  }
}
