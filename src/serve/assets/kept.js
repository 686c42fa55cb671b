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
    news.textContent = told ?? "It was answered elsewhere. What you typed was not sent.";
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
    void became(form).then((said) => {
      if (said !== null) news.textContent = `Answered elsewhere: ${said}. What you typed was not sent.`;
    });
  }
}

/** Null: it cannot be found out now. */
async function became({ dataset }) {
  try {
    const response = await fetch(dataset.to.replace(/\/[^/]+$/, ""));
    if (!response.ok) return null;
    const { status } = await response.json();
    const { question } = JSON.parse(dataset.body);
    const decision = status.decisions.findLast((each) => each.question === question);
    return decision === undefined ? status.title : decision.answer;
  } catch {
    return null;
  }
}
