// Shows times in the reader's time zone, and counts on.
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const clocks = {
  minutes: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }),
  seconds: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" }),
};

export function showTimes() {
  for (const time of document.querySelectorAll("time[data-moment]"))
    show(time, moment(Number(time.dataset.moment), clocks[time.dataset.precision]));
  for (const time of document.querySelectorAll("time[data-since]"))
    show(time, elapsed(Date.now() - Number(time.dataset.since)));
}

const show = (time, text) => {
  if (time.textContent !== text) time.textContent = text;
};

function moment(at, clock) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`;
}

function elapsed(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
