import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const PROGRAM = `
  import { PGlite } from "@electric-sql/pglite";
  const { rows } = await new PGlite().query("SELECT now() AS time");
  const times = [new Date(), new Date(Date.now()), rows[0].time];
  console.log(JSON.stringify(times.map((time) => time.toISOString().slice(0, 10))));
  console.log(new Date(0).toISOString(), structuredClone(new Date(0)) instanceof Date);
`;

/** A process that starts a database on a busy machine. */
const SLOW_MS = 120_000;

function run(clock: string) {
  return spawnSync(
    process.execPath,
    ["--import", "./lib/testing/shifted-clock.mjs", "--input-type=module", "-e", PROGRAM],
    { encoding: "utf8", env: { ...process.env, FOOTNOTE_CLOCK: clock } },
  );
}

describe("the shifted clock", () => {
  it("starts a process and its embedded database at another instant", { timeout: SLOW_MS }, () => {
    const [times, fixed] = run("2028-02-29T12:00:00Z").stdout.split("\n");
    expect(times).toBe('["2028-02-29","2028-02-29","2028-02-29"]');
    expect(fixed).toBe("1970-01-01T00:00:00.000Z true");
  });

  it("does not start on what is no instant", () => {
    const { status, stderr } = run("soon");
    expect(status).not.toBe(0);
    expect(stderr).toContain("FOOTNOTE_CLOCK");
  });
});
