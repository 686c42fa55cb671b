// Takes the token out of the address, and exchanges it for a cookie that no script can read.

const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token !== null) {
  history.replaceState(null, "", location.pathname);
  fetch("/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  }).then((answer) => {
    if (answer.ok) location.reload();
    else
      document.getElementById("state").textContent =
        "The token is not valid. Start loop serve again, and open the address that it prints.";
  });
}
