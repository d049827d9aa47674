import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";

const PORT = process.env.FOOTNOTE_BENCH_PORT ?? "3197";

/** Runs `work` over a fresh embedded database with a corpus in public_kb. */
export async function withCorpus<T>(
  corpus: string,
  work: (env: NodeJS.ProcessEnv, importSeconds: number) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "footnote-quality-"));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    EMBEDDING_MODEL: "",
    REQUESTS_PER_MINUTE: "100000",
    APP_URL: `http://localhost:${PORT}`,
    LOG_LEVEL: "error",
  };
  try {
    return await work(env, await load(corpus, env));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Starts the built product on that database, with the public sample added, and posts what `work` asks it to. */
export async function withServer<T>(
  env: NodeJS.ProcessEnv,
  work: (post: (path: string, body: object) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const server = spawn(
    process.execPath,
    ["scripts/start.mjs", "--no-install", "--no-build", "--port", PORT, "--demo"],
    { env, stdio: ["ignore", "ignore", "inherit"] },
  );
  try {
    const key = await liveKey(server, env.DATA_DIR ?? "");
    return await work((path, body) => post(key, path, body));
  } finally {
    if (server.exitCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
  }
}

async function load(corpus: string, env: NodeJS.ProcessEnv): Promise<number> {
  // Some of MEDIQA's pages have "#" as their URL, which an import rejects.
  const file = path.join(env.DATA_DIR ?? "", "corpus.jsonl");
  const lines = gunzipSync(await readFile(corpus)).toString();
  await writeFile(file, lines.replaceAll(/"url": ?"(?!https?:)[^"]*",? ?/g, ""));
  const startedAt = performance.now();
  const child = spawn("npm", ["run", "-s", "kb", "--", "import", file, "--scope", "public_kb"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) {
    throw new Error("the corpus could not be imported");
  }
  return (performance.now() - startedAt) / 1000;
}

async function liveKey(server: ChildProcess, dataDir: string): Promise<string> {
  for (let tries = 0; tries < 240 && server.exitCode === null; tries += 1) {
    const response = await fetch(`http://localhost:${PORT}/api/health`).catch(() => null);
    if (response?.ok) {
      return JSON.parse(await readFile(path.join(dataDir, "demo.json"), "utf8")).live_key;
    }
    await sleep(500);
  }
  throw new Error("the server did not start; run npm run build first");
}

async function post(key: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`http://localhost:${PORT}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`a request failed with ${response.status}: ${await response.text()}`);
  }
  return response.json();
}
