// Every scenario, by group. A name is `group/what-happens`, and `--only group` plays the group.
import { agents } from "./agents.mjs";
import { caps } from "./caps.mjs";
import { checks } from "./checks.mjs";
import { cuts } from "./cuts.mjs";
import { gates } from "./gates.mjs";
import { held } from "./held.mjs";
import { lies } from "./lies.mjs";
import { people } from "./people.mjs";
import { plain } from "./plain.mjs";

const groups = { plain, lies, checks, held, gates, caps, agents, cuts, people };

/** @type {import("../scenario.mjs").Scenario[]} */
export const scenarios = Object.entries(groups).flatMap(([group, all]) =>
  Object.entries(all).map(([name, scenario]) => ({ ...scenario, name: `${group}/${name}` })),
);
