// Makes a part of the page equal to new markup, and keeps what is the same: focus, what was typed, what was opened.

/** `html` comes from our own server, which has escaped every text in it. */
export function patch(target, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const active = document.activeElement;
  const wasInside = active !== null && target.contains(active);
  const selection = wasInside && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  const around = wasInside ? cardsAround(active) : [];
  children(target, template.content);
  if (!wasInside || document.activeElement === active) return;
  if (active.isConnected) {
    active.focus({ preventScroll: true });
    if (selection !== null && selection[0] !== null) active.setSelectionRange(...selection);
  } else goTo(around.find((card) => card.isConnected)?.querySelector("h3") ?? target.querySelector("h2"));
}

/** The cards after the one that an element is in, then those before it: where Tab would have led next comes first. */
function cardsAround(element) {
  const card = element.closest("article");
  if (card === null) return [];
  const all = [...card.parentElement.children].filter((each) => each.matches("article"));
  const at = all.indexOf(card);
  return [...all.slice(at + 1), ...all.slice(0, at).reverse()];
}

/** A heading is read out and seen, and the next Tab goes on from there. */
function goTo(heading) {
  const to = heading ?? document.getElementById("main");
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
}

const idOf = (node) => (node.nodeType === Node.ELEMENT_NODE && node.id !== "" ? node.id : null);
const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName;

function children(into, from) {
  const wanted = [...from.childNodes];
  const ids = new Set(wanted.map(idOf));
  const known = new Map([...into.children].filter((child) => child.id !== "").map((child) => [child.id, child]));
  let at = into.firstChild;
  for (const next of wanted) {
    const id = idOf(next);
    const same = id === null ? null : known.get(id);
    // What stands before it and is no longer wanted goes first, so that the element itself need not move.
    while (
      at !== null &&
      at !== same &&
      (id === null ? idOf(at) !== null && !ids.has(idOf(at)) : !isWanted(at, ids, same))
    )
      at = dropped(at);
    if (same && isAlike(same, next)) {
      if (same === at) at = at.nextSibling;
      else into.insertBefore(same, at);
      update(same, next);
    } else if (id === null && at !== null && idOf(at) === null && isAlike(at, next)) {
      update(at, next);
      at = at.nextSibling;
    } else into.insertBefore(next, at);
  }
  while (at !== null) at = dropped(at);
}

/** While an element with an id is looked for, only others with a wanted id stay. */
const isWanted = (node, ids, same) => !same || (idOf(node) !== null && ids.has(idOf(node)));

function dropped(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function update(node, wanted) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return;
  }
  if (node.isEqualNode(wanted)) return;
  attributes(node, wanted);
  // The lines of a session are added one by one; what a person has typed is theirs.
  if (node.hasAttribute("data-log") || node.nodeName === "TEXTAREA") return;
  children(node, wanted);
}

/** Whether details are open, and what is in a field, is up to the person. */
const isTheirs = (node, name) =>
  (node.nodeName === "DETAILS" && name === "open") || (node.nodeName === "INPUT" && name === "value");

function attributes(node, wanted) {
  for (const { name } of [...node.attributes])
    if (!wanted.hasAttribute(name) && !isTheirs(node, name)) node.removeAttribute(name);
  for (const { name, value } of wanted.attributes)
    if (node.getAttribute(name) !== value && !isTheirs(node, name)) node.setAttribute(name, value);
}
