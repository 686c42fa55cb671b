// The stream of changes. A browser opens six connections to a server for all of its tabs, and an answer needs one: at most
// three tabs keep their streams open. The others, and those that are hidden, look in for a moment again and again.

const places = ["loopwright stream 1", "loopwright stream 2", "loopwright stream 3"];
const againMs = 1_000;
const lookMs = { visible: 2_000, hidden: 15_000 };
/** What has changed comes at once after the first message. */
const lookedMs = 300;

let place = null;
let giveBack = null;

/** Whether this tab may keep its stream open. A browser without locks (plain HTTP under another name) keeps each open. */
async function hasPlace() {
  if (navigator.locks === undefined) return true;
  place ??= takePlace();
  const isTaken = await place;
  if (!isTaken) place = null;
  return isTaken;
}

async function takePlace() {
  for (const name of places) if (await taken(name)) return true;
  return false;
}

const taken = (name) =>
  new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      if (lock === null) return undefined;
      return new Promise((release) => {
        giveBack = release;
      });
    });
  });

function leavePlace() {
  giveBack?.();
  [giveBack, place] = [null, null];
}

/** `take`: what to do with each kind of message. */
export function keepConnected(main, notice, take) {
  let [stream, again, turn] = [null, 0, 0];

  /** Browsers wait longer and longer for a server that is gone, and give up when it answers with an error: the page asks itself. */
  async function connect() {
    turn += 1;
    const mine = turn;
    clearTimeout(again);
    stream?.close();
    const isHeld = document.visibilityState === "visible" && (await hasPlace());
    if (document.visibilityState !== "visible") leavePlace();
    if (mine !== turn) return;
    const opened = new EventSource(main.dataset.live);
    stream = opened;
    opened.addEventListener("open", () => {
      notice.textContent = "";
      main.dataset.state = "live";
    });
    for (const [name, act] of Object.entries(take)) opened.addEventListener(name, ({ data }) => act(JSON.parse(data)));
    if (!isHeld) opened.addEventListener("parts", () => setTimeout(looked, lookedMs, opened), { once: true });
    opened.addEventListener("error", () => {
      notice.textContent = "Connection lost. Trying again…";
      main.dataset.state = "lost";
      opened.close();
      again = setTimeout(connect, againMs);
    });
  }

  function looked(opened) {
    if (opened !== stream) return;
    opened.close();
    again = setTimeout(connect, lookMs[document.visibilityState]);
  }

  document.addEventListener("visibilitychange", connect);
  /** Timers of a page in the background are slow. */
  window.addEventListener("online", () => {
    if (main.dataset.state === "lost") void connect();
  });
  void connect();
}
