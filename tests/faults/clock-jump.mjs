// Loaded before the loop: its clock jumps by JUMP_MS once JUMP_FILE is there, as a laptop's does when it finds its time server.
import { existsSync } from "node:fs";

const by = Number(process.env.JUMP_MS ?? "0");
const Real = Date;
const shift = () => (existsSync(process.env.JUMP_FILE ?? "") ? by : 0);

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + shift());
    else super(...given);
  }
  static now() {
    return Real.now() + shift();
  }
};
