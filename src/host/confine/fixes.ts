// What to do when bubblewrap does not start, by its own message.

const fixes: readonly { readonly says: RegExp; readonly fix: string }[] = [
  {
    // Ubuntu 24.04 and later: AppArmor lets no ordinary program make a user namespace.
    says: /uid map: Permission denied|setting up uid map/i,
    fix: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (or an AppArmor profile for bwrap: docs/SECURITY.md)",
  },
  {
    says: /No permissions to creat|creating new namespace failed|Creating new namespace/i,
    fix: "sudo sysctl -w kernel.unprivileged_userns_clone=1; in a container: --security-opt seccomp=unconfined",
  },
  {
    says: /Unknown option/i,
    fix: "Install bubblewrap 0.8 or later.",
  },
  {
    says: /mount proc|Can't mount proc/i,
    fix: "The container hides parts of /proc: start it with --security-opt systempaths=unconfined.",
  },
];

export const fixFor = (said: string): string =>
  fixes.find(({ says }) => says.test(said))?.fix ??
  "See docs/SECURITY.md for what bubblewrap needs, or use a container.";
