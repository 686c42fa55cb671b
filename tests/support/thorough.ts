// Repeats in another language or version take minutes, so they run in the long sweeps: npm run faults -- --only cast
/** THOROUGH=1 plays everything. */
export const isThorough = process.env["THOROUGH"] === "1";
export const onlyWhenThorough = "left to npm run faults -- --only cast, which sets THOROUGH=1";
