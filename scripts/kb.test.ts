import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlePrograms } from "@/lib/testing/programs";
import { WRONG_CHUNK_COUNTS, WRONG_TERM_COUNTS } from "@/lib/testing/recount";

const folder = mkdtempSync(path.join(os.tmpdir(), "footnote-kb-"));
const dataDir = path.join(folder, "data");
/** Enough for a process to start on a busy machine. */
const SLOW_MS = 120_000;

let programs = "";

beforeAll(async () => {
  programs = await bundlePrograms({
    kb: "scripts/kb.ts",
    threads: "lib/reading/process/threads.ts",
  });
}, SLOW_MS);
afterAll(() => {
  for (const made of [folder, programs]) {
    rmSync(made, { recursive: true, force: true });
  }
});

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [path.join(programs, "kb.mjs"), ...args], {
    // Uses its own embedded database, regardless of which one the tests use.
    env: {
      ...process.env,
      DATABASE_URL: "",
      DATA_DIR: dataDir,
      EMBEDDING_MODEL: "",
      FOOTNOTE_API_KEY: "x",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (text) => {
    out += text;
  });
  child.stderr?.on("data", (text) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

function kb(...args: string[]): Promise<Ended> {
  return ended(start(...args));
}

function load(source: string): Promise<Ended> {
  return kb("import", source, "--scope", "public_kb");
}

/** The number next to a name in the summary. */
function figure({ out }: Ended, name: string): number {
  return Number(new RegExp(`^${name} +([\\d.]+)$`, "m").exec(out)?.[1]);
}

function tally(run: Ended) {
  return ["added", "replaced", "unchanged", "failed"].map((name) => figure(run, name));
}

function article(id: number): string {
  const text = `Article ${id} of the harbour. ${`Buoy ${id} lies north of pier ${id % 7}. `.repeat(30)}`;
  return `${JSON.stringify({ id: `a${id}`, title: `Article ${id}`, text, source_type: "pilot", area: id % 3 })}\n`;
}

describe("npm run kb", () => {
  it("names every option of an evaluation in its help", { timeout: SLOW_MS }, async () => {
    const guide = await readFile("docs/evaluation.md", "utf8");
    const rows = guide.split("\n").filter((line) => line.startsWith("| `--"));
    const options = rows.flatMap((row) => row.split(" | ")[0]?.match(/--[a-z-]+/g) ?? []);
    const { out } = await kb("help");
    expect(options).toContain("--context");
    expect(options.filter((option) => !out.includes(`${option} `))).toEqual([]);
  });

  it.each([
    [["lst"], "There is no command lst"],
    [["import", "x", "--scope", "public_kb", "--frce"], "Unknown option '--frce'"],
    [["import", "x", "--scope", "customer_kb"], "Pass --scope public_kb"],
    [["import", "nowhere", "--scope", "public_kb"], "There is no file to import at nowhere"],
    [["sync", "x", "--attributes", "team"], "--attributes takes name=value pairs"],
    [["remove"], "Select documents with"],
    [["evaluate", "questions.txt"], "The name of the questions file must end in .csv or .jsonl"],
    [["evaluate", "nowhere.csv"], "There is no questions file at nowhere.csv"],
  ])(
    "rejects %j with one sentence and exit code 2",
    async (args, sentence) => {
      const { code, out, err } = await kb(...args);
      expect([code, out]).toEqual([2, ""]);
      expect(err.startsWith(sentence)).toBe(true);
      expect(err.trim().split("\n")).toHaveLength(1);
    },
    SLOW_MS,
  );

  it(
    "imports a folder of files and JSON lines, reports each failure and replaces changed documents",
    async () => {
      const source = path.join(folder, "source");
      await mkdir(path.join(source, "below"), { recursive: true });
      await writeFile(
        path.join(source, "below/tide.md"),
        "---\ntitle: Tides\nsource_type: guide\nurl: https://sea.example/tides\npublished_at: 2026-01-02\n---\n\n# Tides\n\nHigh water comes twice.\n",
      );
      await writeFile(path.join(source, "code.md"), "---\ntitle: [\n---\n\nText.\n");
      await writeFile(path.join(source, "plain.txt"), "A plain note on anchors.\n");
      await writeFile(path.join(source, ".hidden.txt"), "Not this.\n");
      await writeFile(
        path.join(source, "lines.jsonl.gz"),
        gzipSync(
          `${article(1)}{"id": "b", "title": "no text"}\n\nnot JSON\n{"id":"u","text":"Words.","url":"ftp://x"}\n${article(2)}`,
        ),
      );
      await writeFile(path.join(source, "cut.jsonl.gz"), gzipSync(article(3)).subarray(0, 60));
      const first = await load(source);
      expect(first.code).toBe(1);
      expect(tally(first)).toEqual([4, 0, 0, 5]);
      for (const place of ["code.md:1", "gz:2", "gz:4", "gz:5", "cut.jsonl.gz"]) {
        expect(first.err).toContain(`${place}: `);
      }
      await writeFile(path.join(source, "plain.txt"), "A longer note on anchors.\n");
      expect(tally(await load(source))).toEqual([0, 1, 3, 5]);
      const { out } = await kb("list", "--json");
      expect(JSON.parse(out).contents).toEqual([
        { scope: "public_kb", source_type: "document", documents: 1, chunks: 1 },
        { scope: "public_kb", source_type: "guide", documents: 1, chunks: 1 },
        { scope: "public_kb", source_type: "pilot", documents: 2, chunks: 2 },
      ]);
      expect((await kb("remove", "--source-type", "pilot")).out).toContain("removed 2 documents");
      expect((await kb("remove", "--all", "--yes")).out).toContain("removed 2 documents");
      expect((await kb("remove", "--all")).code).toBe(1);
    },
    2 * SLOW_MS,
  );

  it(
    "finishes an import that was killed midway, with exact counts",
    async () => {
      const count = 1500;
      const source = path.join(folder, "many.jsonl");
      await writeFile(source, Array.from({ length: count }, (_, id) => article(id)).join(""));
      const first = start("import", source, "--scope", "public_kb");
      first.stdout?.once("data", () => first.kill("SIGKILL"));
      await once(first, "close");
      expect(first.signalCode).toBe("SIGKILL");
      const second = await load(source);
      const [added = 0, replaced, unchanged = 0, failed] = tally(second);
      expect([second.code, replaced, failed, added + unchanged]).toEqual([0, 0, 0, count]);
      expect(Math.min(added, unchanged)).toBeGreaterThan(0);
      expect(tally(await load(source))).toEqual([0, 0, count, 0]);
      const database = new PGlite({ dataDir: path.join(dataDir, "pg"), extensions: { vector } });
      const wrong = await database.query(WRONG_TERM_COUNTS);
      const chunks = await database.query(WRONG_CHUNK_COUNTS);
      await database.close();
      expect([wrong.rows, chunks.rows]).toEqual([[], []]);
    },
    2 * SLOW_MS,
  );

  it(
    "reports that another process has the embedded database open",
    async () => {
      const server = new DatabaseSync(path.join(dataDir, "lock"));
      server.exec("BEGIN EXCLUSIVE");
      const { code, err } = await kb("list");
      server.close();
      expect([code, err]).toEqual([1, expect.stringContaining("Another Footnote process")]);
    },
    SLOW_MS,
  );
});
