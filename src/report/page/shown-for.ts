// What a person has to see before they decide: the contract, the last iteration, the whole result, or held work.

import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";
import type { Overview } from "../overview.ts";
import type { FeatureOverview } from "../overview-feature.ts";
import { cost, count, duration, money, timeSpent } from "../words/words.ts";
import { withoutBar } from "./bits.ts";
import type { Waiting } from "./view.ts";

const featuresMax = 20;
const criteriaMax = 6;
const linesMax = 30;

export function shownFor({ gate, kind, about, run }: Waiting): Markup {
  if (gate !== null) return { G1: agreement, G2: iteration, G3: result }[gate.name](run);
  if (kind === "unproved" || kind === "contradiction") return heldWork(run, about);
  return none;
}

function agreement({ features: all, agreed, limits, request }: Overview): Markup {
  const features = all.filter(({ isDone }) => !isDone);
  const rest = features.length - featuresMax;
  const caps = [
    limits.costUsdMax === null ? "no cap on cost" : money(limits.costUsdMax),
    count(limits.iterationsMax ?? 0, "iteration"),
    duration(limits.activeMsMax ?? 0),
  ];
  return html`<blockquote dir="auto" tabindex="0">${shortened(request, 4000)}</blockquote>
<ul class="plain">${features.slice(0, featuresMax).map(contractRow)}</ul>
${rest > 0 ? html`<p class="small">And ${count(rest, "feature")} more.</p>` : none}
<dl class="terms">${agreed.checks.map(({ name, run, must }) => term("check", html`${name}: <code>${shortened(run, 300)}</code> (${must})`))}
${agreed.mustNot.map((text) => term("must not", html`${shortened(text, 300)}`))}
${term("caps", html`${caps.join(", ")}`)}</dl>`;
}

const term = (name: string, value: Markup): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;

function contractRow(feature: FeatureOverview): Markup {
  const { id, name, criteria, dependencies, kind, mayChange, enough } = feature;
  const easier = [
    ...(kind === "change" ? [] : [`kind: ${kind}`]),
    ...(mayChange.length === 0 ? [] : [`may change protected tests: ${mayChange.join(", ")}`]),
    ...(enough === "proof" ? [] : ["a passing review is enough: it need not be proved"]),
  ];
  const rest = criteria.length - criteriaMax;
  return html`<li><b>${id}</b> ${shortened(name, 200)}${dependencies.length === 0 ? none : html` <span class="small">after ${dependencies.join(", ")}</span>`}
${easier.map((text) => html`<br><span class="fair">${shortened(text, 300)}</span>`)}
<ul>${criteria.slice(0, criteriaMax).map(({ text }) => html`<li>${shortened(text, 300)}</li>`)}${rest > 0 ? html`<li class="small">and ${rest} more</li>` : none}</ul></li>
`;
}

function iteration(run: Overview): Markup {
  const last = run.iterations.at(-1);
  return html`${last === undefined ? none : checksList(last.checks)}${soFar(run)}`;
}

function result(run: Overview): Markup {
  const commits = run.iterations.filter(({ commit }) => commit !== null).slice(-linesMax);
  const minor = run.gaps.filter(({ blocking }) => !blocking).slice(0, linesMax);
  return html`<ul class="checks">${commits.map(({ feature, grade }) => {
    const found = run.features.find(({ id }) => id === feature);
    const isProved = grade === "strong";
    return html`<li><span class="${isProved ? "good" : "fair"}">${isProved ? "✓" : "!"}</span> <b>${feature}</b> ${shortened(found?.name ?? "", 200)} <span class="small">${withoutBar(found?.restsOn || found?.standing || "")}</span></li>`;
  })}${minor.map(({ text }) => html`<li><span class="idle">–</span> ${shortened(text, 300)}</li>`)}</ul>${soFar(run)}`;
}

function heldWork(run: Overview, about: string): Markup {
  const tried = run.iterations.findLast(({ feature }) => feature === about);
  return tried === undefined ? none : checksList(tried.checks);
}

function checksList(checks: readonly string[]): Markup {
  if (checks.length === 0) return none;
  const rest = checks.length - linesMax;
  return html`<h4>What the loop ran itself</h4><ul class="checks">${checks.slice(0, linesMax).map((text) => html`<li>${shortened(text, 400)}</li>`)}${rest > 0 ? html`<li class="small">and ${rest} more</li>` : none}</ul>`;
}

const soFar = ({ done, total, spent }: Overview): Markup =>
  html`<p class="small">So far: ${done} of ${count(total, "feature")} done, ${cost(spent)}, ${timeSpent(spent)}</p>`;
