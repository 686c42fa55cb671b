// Parameters of Python that callers may give by name and that have another name now: tests mostly give them by place.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { changedCode } from "../sides.ts";
import { signatures } from "../source/index.ts";

export function parameterQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  const { base, candidate } = sides;
  const sentences = [feature.name, feature.description, ...feature.criteria].flatMap((text) =>
    text.split(/[.;](?=\s|$)|\n/),
  );
  const isAsked = (name: string): boolean =>
    sentences.some((each) => aboutParameters.test(each) && each.match(/\w+/g)?.includes(name) === true);
  /** It is written as a call: `discount(total, percent)`. */
  const isShown = (owner: string, names: readonly string[]): boolean =>
    sentences.some((each) =>
      Array.from(each.matchAll(new RegExp(`\\b${calledAs(owner).split(".").at(-1)}\\(([^)]*)\\)`, "g"))).some(
        ([, list = ""]) => names.some((name) => list.match(/\w+/g)?.includes(name)),
      ),
    );
  const old = changedCode(sides).filter(({ kind, path }) => kind === "modified" && path.endsWith(".py"));
  const gone = old.flatMap(({ path }) => {
    const now = signatures(path, candidate.text(path) ?? "");
    return [...signatures(path, base.text(path) ?? "")].flatMap(([owner, was]) => {
      const is = now.get(owner);
      if (is === undefined || is.takesAny) return [];
      if (
        isShown(
          owner,
          [...is.parameters].filter((name) => !was.parameters.has(name)),
        )
      )
        return [];
      const left = [...was.parameters].filter((name) => !is.parameters.has(name) && !isAsked(name));
      return left.map((name) => `${calledAs(owner)}(${name}=…) of ${path}`);
    });
  });
  return gone.length === 0
    ? []
    : [
        `Calls that give an argument by its name fail now: ${listed(gone)}. Keep the name of the parameter, unless the feature asks for another; then a person has to look.`,
      ];
}

const aboutParameters =
  /\b(?:renam\w*|remov\w*|drop\w*|delet\w*|replac\w*|instead|no longer|without|param\w*|argument\w*|keyword\w*|option\w*)\b/i;

const calledAs = (owner: string): string => owner.replace(/\.__init__$/, "");
