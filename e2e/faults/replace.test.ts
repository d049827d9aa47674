import { once } from "node:events";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { type RunningServer, startServer } from "../product";
import { ask, handbook, type Options, prepare, readDemo, until } from "./product";
import { startWorker } from "./worker";

const OLD = "The old edition names the herb aspivarilis.";
const NEW = "The new edition names the herb cendrazinum.";
/** So many that indexing them takes seconds. */
const SECTIONS = 3000;
const JOB_MS = 150_000;
const redisUrl = process.env.TEST_REDIS_URL;

it.runIf(process.env.TEST_DATABASE_URL && redisUrl)(
  "finds the old version until the new one is committed, also if its worker is killed meanwhile",
  { timeout: 400_000 },
  async () => {
    const options = await prepare("replace", { REDIS_URL: redisUrl ?? "", RUN_JOBS: "false" });
    const server = await startServer(options);
    onTestFinished(server.stop);
    const { test_key: key } = await readDemo(options);
    const database = await connect(options);
    const first = await startWorker(options);
    const old = await put(server, key, OLD);
    await until("the old version", JOB_MS, () => isCompleted(server, key, old.job_id));
    expect(await editions(server, key)).toEqual([OLD]);

    const job = await put(server, key, `${NEW}\n\n${handbook(1, SECTIONS)}`);
    expect(job.id).toBe(old.id);
    await until("the new version's indexing", JOB_MS, async () => {
      const { rows } = await database.query("SELECT stage FROM job WHERE id = $1", [job.job_id]);
      return rows[0]?.stage === "indexing";
    });
    first.kill("SIGKILL");
    await once(first, "exit");
    expect(await editions(server, key)).toEqual([OLD]);

    await startWorker(options);
    const seen = new Set<string>();
    await until("the new version", JOB_MS, async () => {
      const isDone = await isCompleted(server, key, job.job_id);
      seen.add((await editions(server, key)).join());
      return isDone;
    });
    expect(await editions(server, key)).toEqual([NEW]);
    // Neither both nor none at any time.
    expect([...seen].filter((found) => found !== OLD && found !== NEW)).toEqual([]);
    const { rows } = await database.query(
      `SELECT j.attempts > 1 AS "isRecovered", (SELECT count(*)::int FROM document WHERE id = $2) AS documents,
              (SELECT count(*)::int FROM chunk WHERE document_id = $2) = d.chunk_count AS "isWhole"
         FROM job j, document d WHERE j.id = $1 AND d.id = $2`,
      [job.job_id, job.id],
    );
    expect(rows).toEqual([{ isRecovered: true, documents: 1, isWhole: true }]);
  },
);

async function connect({ databaseUrl }: Options): Promise<pg.Client> {
  const database = new pg.Client(databaseUrl);
  await database.connect();
  onTestFinished(() => database.end());
  return database;
}

async function put({ url }: RunningServer, key: string, text: string) {
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("external_id", "handbook");
  form.set("on_duplicate", "replace");
  form.set("file", new File([text], "handbook.md"));
  const { status, body } = await ask(`${url}/v1/kb/documents`, key, form);
  expect(status, body).toBe(202);
  return JSON.parse(body) as { id: string; job_id: string };
}

async function isCompleted({ url }: RunningServer, key: string, id: string): Promise<boolean> {
  const { body } = await ask(`${url}/v1/kb/jobs/${id}`, key);
  const { status } = JSON.parse(body);
  expect(["queued", "processing", "completed"]).toContain(status);
  return status === "completed";
}

/** The first sentence of each edition that a search finds. */
async function editions({ url }: RunningServer, key: string): Promise<string[]> {
  const query = "Which herb does the edition name: aspivarilis or cendrazinum?";
  const { status, body } = await ask(`${url}/v1/kb/search`, key, {
    query,
    sources: ["customer_kb"],
  });
  expect(status, body).toBe(200);
  const { data } = JSON.parse(body) as { data: { text: string }[] };
  return [OLD, NEW].filter((sentence) => data.some(({ text }) => text.includes(sentence)));
}
