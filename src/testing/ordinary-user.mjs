// Acts as a person without root rights, for a test: opens rooms, damages their content, and reports the result.
import * as fs from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { link, makeHouse, once, openRoom, run, treeWith, writePackage } = await import(
  pathToFileURL(join(process.argv[2], "testing/rooms-rig.js")).href
);

const house = await makeHouse("mounts", {
  files: {
    "package.json": "{}",
    "a/index.js": "module.exports = 'a1';\n",
    "main.js": "console.log(require('./a'), require('left'));\n",
  },
  prepare: (root) => {
    writePackage(root, "node_modules/left", { name: "left" }, { "index.js": "module.exports = 'left1';\n" });
    link(root, "node_modules/a", "../a");
  },
});
const tree = await treeWith(house, { "a/index.js": "module.exports = 'a2';\n", "package.json": null });
const room = await openRoom(house, { tree });
const deeds = `id -u; node main.js; ls package.json 2>/dev/null || echo gone; rm -rf node_modules/left; echo x > node_modules/a/../added.txt; echo x > "${house.root}/../x"; echo x > "${house.vaultDir}/x"`;
const first = (await run(house, room, `{ ${deeds}; } 2>/dev/null`)).tail;
const left = await room.left();
await room.close();
const second = (await once(house, "node main.js")).tail;
const outside = [join(house.root, "..", "x"), join(house.vaultDir, "x"), join(house.root, "added.txt")].filter((path) =>
  fs.existsSync(path),
);
process.stdout.write(JSON.stringify({ kind: house.rooms.kind, first, second, left, outside }));
process.exit(0);
