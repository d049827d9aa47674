import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { HOSTILE_FILES } from "@/lib/testing/hostile-files";
import { type RunningServer, startServer } from "../product";
import { ask, prepare, readDemo, until } from "./product";
import { startWorker } from "./worker";

/** Each of them ended a server whose threads parsed, and again after each start. */
const NAMES = [
  "one-run.docx",
  "long-run.docx",
  "many-rows.csv",
  "one-paragraph.html",
  "open-quote.csv",
] as const;
const JOBS_MS = 150_000;
const POLL_MS = 100;

interface Job {
  id: string;
  status: string;
  attempts: number;
  error: { code: string } | null;
}

it("ends the jobs of files that take all memory, and neither its process nor, later, the jobs again", {
  timeout: 240_000,
}, async () => {
  const options = await prepare("hostile");
  const first = await startServer(options);
  onTestFinished(first.stop);
  const { live_key: key } = await readDemo(options);
  const worker = options.databaseUrl ? await startWorker(options) : null;
  const pids = await childrenOf(first);
  const live = watchLive(first);

  const ids = await Promise.all(NAMES.map((name) => upload(first, key, name)));
  const ended = await Promise.all(
    ids.map((id) =>
      until(`the end of job ${id}`, JOBS_MS, async () => {
        const job = await readJob(first, key, id);
        return job.status !== "queued" && job.status !== "processing" && job;
      }),
    ),
  );
  expect(ended.map(({ error, attempts }) => [error?.code, attempts])).toEqual(
    NAMES.map(() => ["too_complex", 1]),
  );
  expect(await live.stop()).toEqual([]);
  expect(await childrenOf(first)).toEqual(pids);
  expect(worker?.exitCode ?? null).toBeNull();

  await first.kill();
  const second = await startServer(options);
  onTestFinished(second.stop);
  expect(await Promise.all(ids.map((id) => readJob(second, key, id)))).toEqual(ended);
});

/** The server itself is a child of the script that starts it. */
function childrenOf({ pid }: RunningServer): Promise<string> {
  return readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
}

/** Asks again and again whether the server is alive, and returns what went wrong. */
function watchLive({ url }: RunningServer) {
  const failures: string[] = [];
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      await fetch(`${url}/api/live`).then(
        ({ ok, status }) => ok || failures.push(String(status)),
        (cause) => failures.push(String(cause)),
      );
      await sleep(POLL_MS);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await watching;
      return failures;
    },
  };
}

async function upload({ url }: RunningServer, key: string, name: string): Promise<string> {
  const content = HOSTILE_FILES[name]?.() ?? "";
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("file", new File([content as BlobPart], name));
  const { status, body } = await ask(`${url}/v1/kb/documents`, key, form);
  expect([status, body]).toEqual([202, expect.any(String)]);
  return JSON.parse(body).job_id;
}

async function readJob({ url }: RunningServer, key: string, id: string): Promise<Job> {
  const { status, body } = await ask(`${url}/v1/kb/jobs/${id}`, key);
  expect([status, body]).toEqual([200, expect.any(String)]);
  return JSON.parse(body);
}
