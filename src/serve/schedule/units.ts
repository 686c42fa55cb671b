// What a timer of the system needs to look at the triggers every minute: files of systemd and launchd, a line of crontab.

export type Command = {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

export const unitName = "loopwright";

/** What runs are begun with goes on when the look is over, so it is not ended with it. */
export function serviceUnit({ argv, env }: Command): string {
  return `[Unit]
Description=Look at the triggers of Loopwright

[Service]
Type=oneshot
KillMode=process
${Object.entries(env)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`, percent)}\n`)
  .join("")}ExecStart=${argv.map((each) => quoted(each, (text) => percent(text).replace(/\$/g, "$$$$"))).join(" ")}
`;
}

/** Persistent is not needed: what was missed is on record, and follows the policy of the trigger. */
export const timerUnit = `[Unit]
Description=Look at the triggers of Loopwright every minute

[Timer]
OnCalendar=*-*-* *:*:00
AccuracySec=1s

[Install]
WantedBy=timers.target
`;

const percent = (text: string): string => text.replace(/%/g, "%%");
const quoted = (text: string, escaped: (text: string) => string): string =>
  `"${escaped(text.replace(/\\/g, "\\\\").replace(/"/g, '\\"'))}"`;

/** By which our line is known. */
export const cronMark = "# loopwright";

export function cronLine({ argv, env }: Command): string {
  const words = [...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`), ...argv.map(shellWord)];
  // In a crontab, % begins the input of the command.
  return `* * * * * ${words.join(" ").replace(/%/g, "\\%")} ${cronMark}`;
}

const shellWord = (text: string): string => (/^[\w./:=@+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

/** Written after Apple's documentation. It was never run on a Mac. */
export function launchdPlist({ argv, env }: Command): string {
  const text = (given: string): string => given.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${unitName}</string>
  <key>ProgramArguments</key>
  <array>${argv.map((each) => `<string>${text(each)}</string>`).join("")}</array>
  <key>EnvironmentVariables</key>
  <dict>${Object.entries(env)
    .map(([name, value]) => `<key>${text(name)}</key><string>${text(value)}</string>`)
    .join("")}</dict>
  <key>StartInterval</key><integer>60</integer>
  <key>AbandonProcessGroup</key><true/>
</dict>
</plist>
`;
}
