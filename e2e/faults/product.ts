import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { startFakeUpstream } from "@/lib/testing/fake-upstream";
import { SCRIPTED_MODEL } from "../clients/scenario";
import { createDatabase, type RunningServer } from "../product";

// Helpers of the fault tests: they start the built product in separate processes and call it.

export const root = path.resolve(import.meta.dirname, "../..");
/** How long tests wait for the holds of dead requests plus a recovery sweep. */
export const LEASE_SECONDS = 5;

export type Options = Awaited<ReturnType<typeof prepare>>;

/** A separate folder, database and upstream. Each generated token costs a micro-dollar. */
export async function prepare(purpose: string, env: Record<string, string> = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), `footnote-${purpose}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const upstream = await startFakeUpstream();
  onTestFinished(upstream.close);
  const database = await createDatabase(purpose);
  onTestFinished(database.drop);
  const perToken = { input: 0, output: 1 };
  return {
    dataDir: path.join(folder, "data"),
    databaseUrl: database.url,
    models: [
      { id: "footnote-extract-1" },
      {
        id: SCRIPTED_MODEL,
        upstream: { base_url: upstream.url, api_key: "upstream-key" },
        retries: 0,
        rates: { core: perToken, grounded: perToken },
      },
    ],
    env: { HOLD_LEASE_SECONDS: String(LEASE_SECONDS), ...env },
  };
}

export interface Demo {
  test_key: string;
  live_key: string;
}

export async function readDemo({ dataDir }: Pick<Options, "dataDir">): Promise<Demo> {
  return JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8"));
}

/** The outcome of a request. */
export interface Outcome {
  /** 0: no response. */
  status: number;
  ms: number;
  code: string | null;
  retryAfter: string | null;
  connection: string | null;
  body: string;
}

/** Sends a request. A failed connection is an outcome too. */
export async function ask(
  url: string,
  key: string,
  body?: object | FormData,
  method = body ? "POST" : "GET",
): Promise<Outcome> {
  const startedAt = performance.now();
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && !isForm && { "content-type": "application/json" }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      ms: performance.now() - startedAt,
      code: response.ok ? null : JSON.parse(text).error.code,
      retryAfter: response.headers.get("retry-after"),
      connection: response.headers.get("connection"),
      body: text,
    };
  } catch (cause) {
    const ms = performance.now() - startedAt;
    return { status: 0, ms, code: null, retryAfter: null, connection: null, body: String(cause) };
  }
}

/** A plain completion from the scripted upstream. */
export function chat(content: string, extra: object = {}): object {
  return { model: SCRIPTED_MODEL, messages: [{ role: "user", content }], ...extra };
}

interface Stream {
  /** The data of each event so far. */
  events: string[];
  /** Resolves when the connection ends, complete or not. */
  ended: Promise<"whole" | "broken">;
}

/** Opens a stream; resolves with its first text. */
export async function openStream(server: RunningServer, key: string, body: object) {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, stream: true }),
  });
  if (!response.ok || !response.body) {
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  }
  const stream: Stream = { events: [], ended: Promise.resolve("broken") };
  const pieces = response.body.pipeThrough(new TextDecoderStream());
  await new Promise<void>((resolve) => {
    stream.ended = readAll(pieces, (event) => {
      stream.events.push(event);
      if (JSON.parse(event === "[DONE]" ? "{}" : event).choices?.[0]?.delta.content) {
        resolve();
      }
    }).finally(resolve);
  });
  return stream;
}

async function readAll(
  pieces: ReadableStream<string>,
  onEvent: (event: string) => void,
): Promise<"whole" | "broken"> {
  let text = "";
  try {
    for await (const piece of pieces) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        if (text.startsWith("data: ")) {
          onEvent(text.slice("data: ".length, end));
        }
        text = text.slice(end + 2);
      }
    }
    return "whole";
  } catch {
    return "broken";
  }
}

export interface Credits {
  balance_usd: string;
  held_usd: string;
}

export async function readCredits({ url }: RunningServer, key: string): Promise<Credits> {
  const { status, body } = await ask(`${url}/v1/billing/credits`, key);
  if (status !== 200) {
    throw new Error(`could not read the balance: ${status} ${body}`);
  }
  return JSON.parse(body);
}

export function micros(usd: string): number {
  return Math.round(Number(usd) * 1_000_000);
}

/** Polls until the result is neither `null` nor `false`. */
export async function until<T>(
  what: string,
  limitMs: number,
  look: () => Promise<T | null | false> | T | null | false,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) {
      return found;
    }
    if (Date.now() > deadline) {
      throw new Error(`timed out after ${limitMs} ms: ${what}`);
    }
    await sleep(100);
  }
}

/** A document with this many sections, each at least one passage. */
export function handbook(number: number, sections: number): string {
  return Array.from({ length: sections }, (_, section) =>
    [
      `## Section ${section} of handbook ${number}`,
      ...Array.from(
        { length: 25 },
        (_, line) =>
          `Patient ${line} of ward ${number} takes ${line * section} mg of drug${line % 7}.`,
      ),
    ].join("\n\n"),
  ).join("\n\n");
}

/** Uploads a document and returns its job id. */
export async function upload({ url }: RunningServer, key: string, text: string): Promise<string> {
  const { status, body } = await ask(`${url}/v1/kb/documents`, key, { scope: "customer_kb", text });
  if (status !== 202) {
    throw new Error(`upload failed: ${status} ${body}`);
  }
  return JSON.parse(body).job_id;
}

/** Runs the reconciliation command. With an embedded database, the server must be stopped. */
export function expectMoneyAddsUp({ databaseUrl, dataDir }: Options): void {
  const audit = spawnSync("npm", ["run", "--silent", "billing", "--", "audit"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    encoding: "utf8",
  });
  expect({ status: audit.status, errors: audit.stderr }).toEqual({ status: 0, errors: "" });
}
