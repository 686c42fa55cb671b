// How long a hook may take. The CLI kills a slower one and lets the session end, so we stop before that.

/** The timeouts given to the CLI by the settings and the plugin. */
export const stopTimeoutS = 900;
export const withinDefaultS = 840;
/** Beginning a hold copies the folder and the installed dependencies. */
export const promptTimeoutS = 120;
