// Times for the person at this terminal. Files, pipes and programs get them in UTC, to the second.

const utc = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/** `2026-11-19T21:20:05Z` as `2026-11-19 22:20`, in the time zone of the reader. */
export const inReadersTime = (text: string): string => text.replace(utc, (time) => moment(new Date(time)));

function moment(time: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
