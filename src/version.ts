// The version of this package; a test holds that package.json says the same.
export const version = "0.1.0";
