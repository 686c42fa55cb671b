// The version of this package; a test checks that package.json agrees.
export const version = "0.1.0";
