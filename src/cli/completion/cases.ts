// What the shells' scripts have in common: the words of a command line lead from place to place, and each place offers some.
import type { Place, Value } from "./words.ts";

export const withValues = (places: readonly Place[]) =>
  places.flatMap(({ path, options }) =>
    options.filter(({ value }) => value.is !== "nothing").map(({ name, value, help }) => ({ path, name, value, help })),
  );

export const leads = (places: readonly Place[]) =>
  places.flatMap(({ path, commands }) =>
    commands.flatMap(({ names, leadsTo }) => names.map((word) => ({ from: path, word, to: leadsTo }))),
  );

/** For bash and zsh: skips the value of an option, and follows a command to its place. */
export const stepCases = (places: readonly Place[]): string =>
  [
    ...withValues(places).map(({ path, name }) => `      "${path} ${name}") ((i++)) ;;\n`),
    ...leads(places).map(({ from, word, to }) => `      "${from} ${word}") at="${to}" ;;\n`),
  ].join("");

/** After an option: its values. */
export const valueCases = (places: readonly Place[], filled: (value: Value) => string): string =>
  withValues(places)
    .map(({ path, name, value }) => `    "${path} ${name}") ${filled(value)}; return ;;\n`)
    .join("");

/** Anywhere else: what the place offers. */
export const placeCases = (places: readonly Place[], offered: (place: Place) => string): string =>
  places.map((place) => `    "${place.path}") ${offered(place)} ;;\n`).join("");
