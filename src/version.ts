// The version of this package; a test checks that package.json agrees.
/** The version of this package. */
export const version = "0.1.0";
