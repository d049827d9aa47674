import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Piscina } from "piscina";
import { expect, it } from "vitest";
import { threadOptions } from "./pool";

it("gives parser threads no environment, and so no secrets", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "footnote-pool-"));
  const script = path.join(folder, "worker.mjs");
  await writeFile(script, "export const read = () => Object.keys(process.env);");
  const pool = new Piscina(threadOptions({ threads: 1, memoryMb: 64, timeoutMs: 100 }, script));
  expect(await pool.run(null, { name: "read" })).toEqual([]);
  await pool.destroy();
  await rm(folder, { recursive: true });
});
