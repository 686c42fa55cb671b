// node first-failing.mjs COUNT: prints the first seed whose world notices a violation, or 0.
const { checkSeed } = await import("../../dist/testing/world/index.js");
const count = Number(process.argv[2]);
for (let seed = 1; seed <= count; seed++) {
  try {
    await checkSeed(seed);
  } catch (error) {
    process.stderr.write(`${error}\n`);
    process.stdout.write(`${seed}\n`);
    process.exit(0);
  }
}
process.stdout.write("0\n");
