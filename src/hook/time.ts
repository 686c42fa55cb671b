// How long a hook may take. The CLI ends one that takes longer and lets the session end, so we stop looking before that.

/** What the settings and the plugin tell the CLI. */
export const stopTimeoutS = 900;
export const withinDefaultS = 840;
/** Beginning a hold keeps a copy of the folder and of what is installed. */
export const promptTimeoutS = 120;
