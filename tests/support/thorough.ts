// What is played again in another language or version, and takes minutes, is for the long sweeps: npm run faults -- --only cast
/** THOROUGH=1 plays everything. */
export const isThorough = process.env["THOROUGH"] === "1";
export const onlyWhenThorough = "left to npm run faults -- --only cast, which sets THOROUGH=1";
