import { setMaxListeners } from "node:events";
import { ATTACKS, attackWith } from "./attacks.ts";

// The abuse bench's abusive account and strangers, in a separate process: one attack at a time over IPC.

export interface AttackOrder {
  attack: string;
  origin: string;
  key: string;
  seconds: number;
}

process.on("message", ({ attack, origin, key, seconds }: AttackOrder) => {
  const found = ATTACKS[attack];
  const signal = AbortSignal.timeout(seconds * 1000);
  // One for each open connection.
  setMaxListeners(0, signal);
  const running = found ? attackWith(found, { origin, key, signal }) : Promise.resolve({});
  void running.then((outcomes) => process.send?.(outcomes));
});
process.on("disconnect", () => process.exit(0));
