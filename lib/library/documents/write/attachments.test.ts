import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestCost } from "@/lib/money/billing/rates";
import { db } from "@/lib/platform/db/client";
import { stopQueue } from "@/lib/platform/queue/vendor";
import { call } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { processJob } from "./process-job";

// No worker runs here: each test acts as one.
beforeAll(() => stopQueue());
afterAll(() => stopQueue());

const NOTE = "Aspirin: at most 100 mg a day.";
const ARCHIVE = Buffer.from("504b0506000000000000000000000000000000000000", "hex");

function attachment(name: string, type: string, content: Uint8Array | string): string {
  return [
    "--x",
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(content).toString("base64"),
  ].join("\r\n");
}

function email(...attachments: string[]): string {
  return [
    "From: Ann <ann@example.com>",
    "To: Ben <ben@example.com>",
    "Date: Fri, 14 Mar 2025 10:00:00 +0000",
    "Subject: Doses",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="x"',
    "",
    "--x",
    "Content-Type: text/plain",
    "",
    "The doses are attached.",
    ...attachments,
    "--x--",
  ].join("\r\n");
}

async function upload(key: string, file: string) {
  const form = new FormData();
  form.set("scope", "customer_kb");
  form.set("source_type", "letter");
  form.set("file", new Blob([file]), "doses.eml");
  const { json, status } = await call("POST", "/v1/kb/documents", { key, raw: form });
  expect(status).toBe(202);
  const jobId = String(json.job_id);
  await processJob(jobId);
  const job = await call("GET", `/v1/kb/jobs/${jobId}`, { key });
  return { id: String(json.id), jobId, job: job.json };
}

async function listed(key: string) {
  const { json } = await call("GET", "/v1/kb/documents", { key });
  return json.data as { id: string; job_id: string | null }[];
}

describe("an email with attachments", () => {
  it("uploads those that can be read, once, as documents with a charge of their own", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const file = email(
      attachment("doses.txt", "text/plain", NOTE),
      attachment("all.zip", "application/zip", ARCHIVE),
      attachment("empty.txt", "text/plain", ""),
    );
    const { id, job } = await upload(key, file);
    const documents = await listed(key);
    const attached = documents.find((each) => each.id !== id);
    expect(documents).toHaveLength(2);
    expect(attached).toMatchObject({
      title: "doses",
      source_type: "letter",
      metadata: { attached_to: id },
      status: "queued",
    });
    expect(job.report).toMatchObject({
      attachments: [{ name: "doses.txt", document_id: attached?.id }],
      warnings: [
        { code: "attachments_left_out", message: expect.stringMatching(/^2 attachments/) },
      ],
    });
    const before = await readMoney(accountId);
    const jobId = String(attached?.job_id);
    await processJob(jobId);
    expect((await call("GET", `/v1/kb/jobs/${jobId}`, { key })).json).toMatchObject({
      document_id: attached?.id,
      status: "completed",
    });
    const found = await call("POST", "/v1/kb/search", { key, body: { query: "aspirin 100 mg" } });
    expect(JSON.stringify(found.json.data)).toContain(NOTE);
    expect(before.balance - (await readMoney(accountId)).balance).toBeGreaterThanOrEqual(
      ingestCost(5),
    );
    expect((await readMoney(accountId)).openHolds).toBe(0n);
    // The same email again finds both.
    await upload(key, `${file}\r\n`);
    expect(await listed(key)).toHaveLength(3);
  });

  it("leaves the attachments of an attached email named", async () => {
    const { key } = await makeKeyedAccount();
    const inner = email(attachment("doses.txt", "text/plain", NOTE));
    const { job } = await upload(
      key,
      email(attachment("old.eml", "application/octet-stream", inner)),
    );
    const [{ document_id: documentId } = { document_id: "" }] = job.report.attachments;
    const { id: jobId } = await db().job.findFirstOrThrow({ where: { documentId } });
    await processJob(jobId);
    const { json } = await call("GET", `/v1/kb/jobs/${jobId}`, { key });
    expect(json.report.attachments).toBeUndefined();
    expect(json.report.warnings).toMatchObject([{ code: "attachments_left_out" }]);
    expect(await listed(key)).toHaveLength(2);
  });

  it("is read without them when its key was revoked meanwhile", async () => {
    const { key, keyId } = await makeKeyedAccount();
    const other = await makeKeyedAccount();
    expect(other.keyId).not.toBe(keyId);
    const form = new FormData();
    form.set("scope", "customer_kb");
    form.set("file", new Blob([email(attachment("doses.txt", "text/plain", NOTE))]), "doses.eml");
    const { json } = await call("POST", "/v1/kb/documents", { key, raw: form });
    await db().apiKey.updateMany({ where: { id: keyId }, data: { revokedAt: new Date() } });
    await processJob(String(json.job_id));
    const job = await db().job.findFirstOrThrow({ where: { id: String(json.job_id) } });
    expect(job).toMatchObject({
      status: "completed",
      report: { warnings: [{ code: "attachments_left_out" }] },
    });
  });
});
