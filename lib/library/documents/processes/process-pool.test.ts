import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ReadAnswer } from "@/lib/reading/parse/read-task";
import { openParserPool } from "./parser-pool";
import type { PoolLimits } from "./process-pool";

const LIMITS = {
  maxPages: 2000,
  maxChunks: 1_000_000,
  maxExpandedBytes: 150 * 1024 * 1024,
  chunkTokens: 400,
  overlapTokens: 60,
};
const ROOT = path.resolve(import.meta.dirname, "../../../..");
const LONG = "A sentence of some more words than others.\n\n".repeat(50_000);

function openPool(limits: Partial<PoolLimits> = {}) {
  const pool = openParserPool(
    { processes: 1, memoryMb: 512, timeoutMs: 60_000, ...limits },
    LIMITS,
  );
  onTestFinished(pool.close);
  const read = async (content: string): Promise<string | undefined> => {
    const task = { bytes: Buffer.from(content), name: null, title: null, mediaType: null };
    return outcomeOf(await pool.readAll([task]));
  };
  return { ...pool, read };
}

function outcomeOf([answer]: ReadAnswer[]): string | undefined {
  return answer && "fault" in answer ? answer.fault.code : answer && Object.keys(answer)[0];
}

/** A program that reads hostile files, started with the flag that once took its threads' limits away. */
function startParent(...names: string[]) {
  const flags = ["--max-semi-space-size=64", "--conditions=react-server", "--import", "tsx"];
  const child = spawn(process.execPath, [...flags, "lib/testing/parser-parent.ts", ...names], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: "--max-semi-space-size=64" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function childrenOf(pid = process.pid): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number).filter(isParser);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function isParser(pid: number): boolean {
  return commandOf(pid).includes("worker.mjs");
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) {
      return found;
    }
    await sleep(10);
  }
}

describe("a process that reads documents", () => {
  it("ends alone when a document takes its memory, whatever the flags of its parent", async () => {
    const parent = startParent("one-run.docx", "many-rows.csv", "words.md");
    const [output, [code]] = await Promise.all([text(parent.stdout), once(parent, "exit")]);
    expect([output.trim().split("\n"), code]).toEqual([
      ["one-run.docx: too_complex", "many-rows.csv: too_complex", "words.md: read"],
      0,
    ]);
  }, 120_000);

  it("ends with its parent, even while it reads", async () => {
    const parent = startParent("open-quote.csv");
    const parser = await until(() => childrenOf(parent.pid)[0]);
    parent.kill("SIGKILL");
    await until(() => (isParser(parser) ? undefined : true));
  }, 60_000);

  it("has no secrets of its parent", async () => {
    const before = childrenOf();
    await openPool().read("A text.");
    const parser = await until(() => childrenOf().find((pid) => !before.includes(pid)));
    const names = readFileSync(`/proc/${parser}/environ`, "utf8")
      .split("\0")
      .map((line) => line.split("=")[0])
      .filter(Boolean);
    const expected = ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "NODE_ENV"];
    expect(names.toSorted()).toEqual(expected);
  });

  it("reads a document again when it was killed from outside, but only once", async () => {
    const others = childrenOf();
    const { read } = openPool();
    const readAndKill = async (kills: number) => {
      const killed = [...others];
      const reading = read(LONG);
      while (killed.length < others.length + kills) {
        const parser = await until(() => childrenOf().find((pid) => !killed.includes(pid)));
        process.kill(parser, "SIGKILL");
        killed.push(parser);
      }
      return reading;
    };
    expect(await readAndKill(1)).toBe("document");
    expect(await readAndKill(2)).toBe("too_complex");
    expect(await read("The next.")).toBe("document");
  }, 60_000);

  it("reads a long text without a blank line with the memory it has by default", async () => {
    const { read } = openPool({ memoryMb: 320 });
    const line = "The patient was given 40 mg of simvastatin once daily in the evening.\n";
    expect(await read(line.repeat(150_000))).toBe("document");
  }, 60_000);

  it("doesn't fill its parent's memory with what it read", async () => {
    const { read } = openPool({ maxAnswerBytes: 1_000_000 });
    expect(await read(LONG)).toBe("too_complex");
    expect(await read("The next.")).toBe("document");
  }, 60_000);
});
