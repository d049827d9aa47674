import { setTimeout as sleep } from "node:timers/promises";
import { closeParserPool } from "@/lib/library/documents/processes/parser-pool";
import { toUploadedFile } from "@/lib/library/documents/receive/whole-file";
import { processJob } from "@/lib/library/documents/write/process-job";
import { uploadDocument } from "@/lib/library/documents/write/upload";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { closeDatabase, execute } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { openJobQueue, stopQueue } from "@/lib/platform/queue/vendor";
import { startBackgroundWork } from "@/server/background";
import { keyContext, makeKeyedAccount } from "./factories";

// A separate process for tests that kill one: `prepare` uploads the documents from stdin, `work` runs
// their jobs and prints each status, `inspect` compares the stored result with an uninterrupted run.

/** The output of `inspect`. */
export interface Inspection {
  jobs: { status: string; attempts: number; report: { chunks: number } | null }[];
  /** Chunks and vectors that differ between the killed and the uninterrupted run. */
  differences: number;
  chunks: number;
  wrongTermCounts: number;
  wrongChunkCounts: number;
  uploadsLeft: number;
  openHolds: number;
  /** Per account: its holds, and whether balance, ledger and usage records agree. */
  money: { held: string; agrees: boolean; charges: number; documents: number }[];
}

const POLL_MS = 10;
const OPEN = "SELECT id FROM job WHERE status IN ('queued', 'processing') ORDER BY id";

const modes: Record<string, () => Promise<void>> = { prepare, work, inspect };
await modes[process.argv[2] ?? ""]?.();
process.exit(0);

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function prepare(): Promise<void> {
  await migrate();
  await openJobQueue();
  const texts = await readTexts();
  const half = Math.ceil(texts.length / 2);
  await uploadAll(texts.slice(0, half));
  await uploadAll(texts.slice(half));
  await stopQueue();
  await closeDatabase();
}

async function readTexts(): Promise<string[]> {
  let text = "";
  for await (const piece of process.stdin) {
    text += piece;
  }
  return JSON.parse(text);
}

async function uploadAll(texts: string[]): Promise<string[]> {
  const { ctx, keyId } = await makeKeyedAccount({ models: ["footnote-extract-1"] });
  const jobs: string[] = [];
  for (const text of texts) {
    const key = keyContext(ctx, { id: keyId, knowledgeScopes: ["customer_kb"] });
    const file = toUploadedFile("killed.md", new TextEncoder().encode(text));
    const input = { scope: "customer_kb", on_duplicate: "reuse" as const, file };
    jobs.push((await uploadDocument(key, input)).job_id);
  }
  return jobs;
}

async function work(): Promise<void> {
  await startBackgroundWork();
  print({ ready: true });
  const seen = new Map<string, string>();
  for (;;) {
    const { rows } = await execute("SELECT id, status, stage, attempts FROM job ORDER BY id");
    for (const row of rows) {
      const text = JSON.stringify(row);
      if (seen.get(String(row.id)) !== text) {
        seen.set(String(row.id), text);
        print({ ...row, at: Date.now() });
      }
    }
    await sleep(POLL_MS);
  }
}

async function inspect(): Promise<void> {
  const { rows: jobs } = await execute("SELECT status, attempts, report FROM job ORDER BY id");
  const { rows: money } = await execute(
    `SELECT a.held_micros::text AS held,
            a.balance_micros = (SELECT sum(amount_micros) FROM ledger_entry WHERE account_id = a.id)
              AND (SELECT coalesce(sum(cost_micros), 0) FROM usage_record WHERE account_id = a.id)
                = (SELECT coalesce(-sum(amount_micros), 0) FROM ledger_entry WHERE account_id = a.id AND kind = 'usage')
              AS agrees,
            (SELECT count(*)::int FROM usage_record WHERE account_id = a.id AND cost_micros > 0) AS charges,
            (SELECT count(*)::int FROM document WHERE account_id = a.id) AS documents
       FROM account a WHERE a.id <> $1 ORDER BY a.id`,
    [PUBLIC_ACCOUNT_ID],
  );
  const killed = await count("SELECT count(*) AS n FROM chunk");
  const facts = {
    wrongTermCounts: await count(
      `SELECT count(*) AS n FROM (SELECT collection_id, t.term_key, count(*) AS chunks
         FROM chunk, unnest(term_keys) AS t(term_key) GROUP BY 1, 2) c
       FULL JOIN document_frequency f USING (collection_id, term_key) WHERE c.chunks IS DISTINCT FROM f.chunk_count`,
    ),
    wrongChunkCounts: await count(
      `SELECT count(*) AS n FROM collection c
        WHERE chunk_count <> (SELECT count(*) FROM chunk WHERE collection_id = c.id)`,
    ),
    uploadsLeft: await count("SELECT count(*) AS n FROM document_upload WHERE NOT is_original"),
    openHolds: await count("SELECT count(*) AS n FROM hold WHERE status = 'open'"),
  };
  const result: Inspection = {
    jobs: jobs as Inspection["jobs"],
    money: money as Inspection["money"],
    chunks: killed,
    ...facts,
    differences: await compareWithUndisturbed(),
  };
  print(result);
  await stopQueue();
  await closeParserPool();
  await closeDatabase();
}

/** Uploads the same documents to another account, runs their jobs here, and counts the differences. */
async function compareWithUndisturbed(): Promise<number> {
  const { rows: before } = await execute("SELECT id FROM document ORDER BY id");
  await uploadAll(await readTexts());
  const { rows: open } = await execute(OPEN);
  for (const job of open) {
    await processJob(String(job.id));
  }
  const chunks = (condition: string) =>
    `SELECT d.content_hash, d.title, d.media_type, d.text AS whole, c.ordinal, c.text, c.char_start, c.char_end, c.page_start,
            c.page_end, c.headings, c.token_count, c.warnings, c.weights::text, v.space, v.embedding::text
       FROM document d JOIN chunk c ON c.document_id = d.id LEFT JOIN chunk_vector v ON v.chunk_id = c.id
      WHERE ${condition}`;
  const killed = chunks("d.id = ANY($1)");
  const undisturbed = chunks("d.id <> ALL($1)");
  return count(
    `SELECT count(*) AS n FROM ((${killed} EXCEPT ALL ${undisturbed}) UNION ALL (${undisturbed} EXCEPT ALL ${killed})) x`,
    [before.map((row) => row.id)],
  );
}

async function count(text: string, values?: unknown[]): Promise<number> {
  const { rows } = await execute(text, values);
  return Number(rows[0]?.n);
}
