import { spawnSync } from "node:child_process";

/** The commit that is built: FOOTNOTE_COMMIT, or the repository's; empty without one. */
export const COMMIT =
  process.env.FOOTNOTE_COMMIT ??
  spawnSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).stdout?.trim() ??
  "";
