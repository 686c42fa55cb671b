// Plays seeds of the simulated world in a separate process, and prints the results: simulate.mjs COUNT PART OF
import { checkSeed } from "../dist/testing/world/index.js";

const [count, part, of] = process.argv.slice(2).map(Number);
const violations = [];
let played = 0;
for (let seed = part + 1; seed <= count; seed += of) {
  played += 1;
  try {
    await checkSeed(seed);
  } catch (error) {
    if (violations.length < 20) violations.push(String(error.message).slice(0, 2000));
  }
}
process.stdout.write(JSON.stringify({ played, violations }));
