// What a browser gets: it takes the token out of the address, exchanges it for a cookie, and shows where the API is.
const html = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Loopwright</title></head><body><main>${body}</main><script src="/sign-in.js"></script></body></html>\n`;

export const signedOut: string = html(
  '<h1>Loopwright</h1><p id="state" role="status">Open the address that <code>loop serve</code> printed: it has the token that signs you in.</p>',
);
export const signedIn: string = html(
  '<h1>Loopwright</h1><p id="state" role="status">You are signed in. The API is described in <a href="/api/v1/openapi.json">openapi.json</a>.</p>',
);

export const signInScript: string = `"use strict";
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token !== null) {
  history.replaceState(null, "", location.pathname);
  fetch("/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  }).then((answer) => {
    if (answer.ok) location.reload();
    else document.getElementById("state").textContent = "The token is not valid. Start loop serve again, and open the address that it prints.";
  });
}
`;
