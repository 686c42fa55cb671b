// Keeps what a person was typing when their question was answered elsewhere: nothing that they wrote goes by itself.
const place = document.getElementById("kept");

/** The questions with text that was not sent, before the page changes. */
export const typedNow = () =>
  [...document.querySelectorAll("main > [data-part] [data-ask]")].filter((ask) => typedIn(ask) !== undefined);

const typedIn = (ask) => [...ask.querySelectorAll("form")].find((each) => each.querySelector("textarea")?.value.trim());

/**
 * Shows those that have gone, with their text, until the person dismisses them. `focused`: where the focus was. `told`: why an
 * answer was refused; without it, what became of the question is looked up.
 */
export function keep(asks, focused, told = null) {
  for (const ask of asks) {
    const form = typedIn(ask);
    if (form === undefined) continue;
    const card = document.createElement("article");
    card.className = "ask kept";
    const [title, news, text, dismiss] = ["h3", "p", "textarea", "button"].map((name) => document.createElement(name));
    title.textContent = ask.dataset.ask;
    news.textContent = told ?? "What you typed was not sent. It no longer waits.";
    text.value = form.querySelector("textarea").value;
    text.readOnly = true;
    text.rows = 3;
    text.setAttribute("aria-label", "What you typed, not sent");
    dismiss.type = "button";
    dismiss.textContent = "Dismiss";
    dismiss.addEventListener("click", () => {
      card.remove();
      document.getElementById("main").focus({ preventScroll: true });
    });
    card.append(title, news, text, dismiss);
    place.append(card);
    if (ask.contains(focused)) text.focus({ preventScroll: true });
    if (told !== null) continue;
    void became(ask, form).then((said) => {
      if (said !== null) news.textContent = `What you typed was not sent. ${said}`;
    });
  }
}

/** Null: it cannot be found out now, or nothing was answered. */
async function became({ dataset: { subject } }, { dataset: { to } }) {
  if (subject === "") return null;
  try {
    const response = await fetch(to.replace(/\/[^/]+$/, `/answers/${subject}`));
    return response.ok ? (await response.json()).said : null;
  } catch {
    return null;
  }
}
