// Takes the token out of the address, or from the field, and exchanges it for a cookie that no script can read.

const form = document.getElementById("sign-in");
const field = document.getElementById("token");

/** An address may be pasted into a tab that shows this page already: then only its fragment changes. */
function takeFromAddress() {
  const token = tokenIn(location.hash);
  if (token === null) return;
  history.replaceState(null, "", location.pathname);
  void signIn(token);
}

/** People paste the whole address as well. */
const tokenIn = (text) => new URLSearchParams(text.slice(text.indexOf("#") + 1)).get("token");

async function signIn(token) {
  const answer = await fetch("/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  }).catch(() => null);
  if (answer?.ok) return location.reload();
  document.getElementById("state").textContent =
    answer === null
      ? "The server could not be reached."
      : answer.status === 429
        ? "Too many failures. Wait a minute, then try again."
        : "The token is not valid. Start loop serve again, and open the address that it prints.";
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = field.value.trim();
  if (given !== "") void signIn(tokenIn(given) ?? given);
});
window.addEventListener("hashchange", takeFromAddress);
takeFromAddress();
