import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, stopProcess, waitUntil } from "../product";

const root = path.resolve(import.meta.dirname, "../..");
const MINUTE_MS = 60_000;

/** An empty folder, as a reader has who calls `npx` with the package's file. */
const folder = mkdtempSync(path.join(os.tmpdir(), "footnote-npx-"));
const data = path.join(folder, "footnote-data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8" });
}

/** The server's address, the demo account's key, and a way to stop it. */
async function start(port: number) {
  // Not with npx, which ends on SIGTERM without its child.
  const child = spawn("node_modules/.bin/footnote", ["--port", String(port)], { cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes) => {
      output += bytes;
    });
  }
  const isReady = async () => output.includes("Footnote is ready");
  await waitUntil(isReady, child, () => output);
  const { test_key: key } = JSON.parse(readFileSync(path.join(data, "demo.json"), "utf8"));
  return { key, output, stop: () => stopProcess(child) };
}

describe("the npm package", () => {
  beforeAll(() => {
    const pack = path.join(root, "deploy/npm/pack.mjs");
    const file = execFileSync(process.execPath, [pack, folder], { encoding: "utf8" }).trim();
    const since = performance.now();
    run("npm", "install", "--no-audit", "--no-fund", "--prefix", folder, file);
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    console.log(`package: installed in ${seconds} s, ${run("du", "-sh", "node_modules").trim()}`);
  }, 10 * MINUTE_MS);

  it(
    "serves from an empty folder, answers its first question with a citation and keeps its data there",
    async () => {
      const port = await freePort();
      const since = performance.now();
      const { key, output, stop } = await start(port);
      console.log(`package: ready after ${((performance.now() - since) / 1000).toFixed(1)} s`);
      try {
        expect(output).toMatch(/Answer:\n.*\[1\]\./);
        const response = await fetch(`http://localhost:${port}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({
            model: "footnote-extract-1",
            messages: [{ role: "user", content: "What are the signs of a stroke?" }],
            citations: { enabled: true, required: true },
          }),
        });
        expect(response.status).toBe(200);
        const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
        expect(response.headers.get("x-footnote-version")?.split("+")[0]).toBe(version);
        const { choices, citations } = await response.json();
        expect(choices[0].message.content).toContain("[1]");
        expect(citations[0].title).toBe("Stroke");
        const page = await fetch(`http://localhost:${port}/docs/quickstart`);
        expect(page.status).toBe(200);
      } finally {
        await stop();
      }
    },
    2 * MINUTE_MS,
  );

  it(
    "runs the other programs, which find files by the caller's folder and read its .env",
    () => {
      writeFileSync(path.join(folder, "bikes.md"), "# Bikes\n\nWard bikes are blue.\n");
      writeFileSync(path.join(folder, ".env"), "DATA_DIR=footnote-data\n");
      expect(run("npx", "footnote", "kb", "import", "bikes.md", "--scope", "public_kb")).toContain(
        "1 added",
      );
      expect(run("npx", "footnote", "doctor")).toMatch(/^0 unsafe/m);
    },
    2 * MINUTE_MS,
  );

  it("refuses a command that doesn't exist", () => {
    expect(() => run("npx", "footnote", "serve")).toThrow("There is no command serve");
  });
});
