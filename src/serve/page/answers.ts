// Pages that show no run: signed out, coming from elsewhere, and failures.
import { html } from "../../report/html/markup.ts";
import { plainHtml } from "../../report/page/shell.ts";
import type { FailureAnswer } from "../failure-answer.ts";

/** The same for every address, whether there is something at it or not. */
export const signedOut: string = plainHtml(
  "Loopwright",
  html`<p id="state" role="status">Open the address that <code>loop serve</code> printed: it has the token that signs you in. Or paste the address or its token here.</p>
<form id="sign-in"><label for="token">Token</label><input id="token" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="400"><button class="first">Sign in</button></form>`,
  "/assets/sign-in.js",
);

export const foreign = (path: string): string =>
  plainHtml("Loopwright", html`<p>You come from another page. <a href="${path}">Open the run</a></p>`, null);

export const failed = ({ what, why, next }: Pick<FailureAnswer, "what" | "why" | "next">): string =>
  plainHtml(what, html`<p>${why}</p><p><code>${next}</code></p><p><a href="/">All runs</a></p>`, null);
