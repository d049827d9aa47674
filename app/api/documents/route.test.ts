import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { findOpenDocument } from "@/lib/library/documents/read/open";
import { listNewestOutlines } from "@/lib/library/documents/read/outline";
import { microsToUsd } from "@/lib/money/billing/money";
import type { MemberContext } from "@/lib/platform/auth/context";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey, readMoney, setBalance } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

const PATH = "/api/documents";
const HANDBOOK = "# Ward handbook\n\n## Nights\n\nThe night shift of ward 7 begins at 21:30.";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

type Headers = Record<string, string>;

async function makeMember(): Promise<{ id: string; ctx: MemberContext; headers: Headers }> {
  const { id, ctx } = await makeAccount();
  return { id, ctx, headers: await signedIn(ctx.actor.id) };
}

/** Another member of an existing account. */
async function joinMember(accountId: string): Promise<Headers> {
  const id = newId("member");
  await db().member.create({
    data: { id, accountId, email: `${id}@example.org`, role: "member" },
  });
  return signedIn(id);
}

function upload(headers: Headers, file: File, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ scope: "customer_kb", ...fields })) {
    form.set(name, value);
  }
  form.set("file", file);
  return call("POST", PATH, { headers, raw: form });
}

async function endOf(headers: Headers, jobId: string) {
  const read = async () =>
    (await call("GET", `${PATH}/jobs?ids=${jobId}`, { headers })).json.data[0];
  await expect.poll(async () => (await read()).finished_at, { timeout: 15_000 }).not.toBeNull();
  return read();
}

async function ingest(headers: Headers, text = HANDBOOK, fields: Record<string, string> = {}) {
  const { json } = await upload(headers, new File([text], `${newId("request")}.md`), fields);
  await endOf(headers, json.job_id);
  return json.id as string;
}

async function titles(headers: Headers, query = "") {
  const { json } = await call("GET", `${PATH}${query}`, { headers });
  return json.data.map(({ title }: { title: string }) => title);
}

describe("the console's endpoints to documents", () => {
  it("warn of a file that is something else than its name says, and don't suggest asking about it", async () => {
    const { ctx, headers } = await makeMember();
    const { json } = await upload(headers, new File(["corrupt text"], "corrupt.docx"));
    await endOf(headers, json.job_id);
    const list = await call("GET", PATH, { headers });
    expect(list.json.data[0]).toMatchObject({ status: "completed", job: { warnings: 1 } });
    const reader = await toReaderContext(ctx);
    expect(await listNewestOutlines(reader, 5)).toEqual([]);
    await ingest(headers);
    expect(await listNewestOutlines(reader, 5)).toMatchObject([{ title: "Ward handbook" }]);
  });

  it("say what a document cost, each version of it", async () => {
    const { ctx, headers } = await makeMember();
    const { balance } = await readMoney(ctx.account.id);
    const id = await ingest(headers);
    const spent = balance - (await readMoney(ctx.account.id)).balance;
    const opened = await findOpenDocument(await toReaderContext(ctx), id);
    expect(opened).toMatchObject({ charge: { cost_usd: microsToUsd(spent) } });
    expect(spent).toBeGreaterThan(0n);
  });

  it("take a file in, tell of its job, and show it in the list", async () => {
    const { id, headers } = await makeMember();
    const { status, json } = await upload(headers, new File([HANDBOOK], "handbook.md"));
    expect([status, json.object, json.deduplicated]).toEqual([202, "kb.document", false]);
    const job = await endOf(headers, json.job_id);
    expect(job).toMatchObject({ document_id: json.id, status: "completed", error: null });
    const listed = await call("GET", PATH, { headers });
    expect(listed.json).toMatchObject({ object: "list", has_more: false, next_cursor: null });
    expect(listed.json.data).toEqual([
      expect.objectContaining({
        id: json.id,
        title: "Ward handbook",
        scope: "customer_kb",
        status: "completed",
        chunks: 1,
        media_type: "text/markdown",
        job: expect.objectContaining({ id: json.job_id, progress: 1, error: null, warnings: 0 }),
      }),
    ]);
    const { balance, held } = await readMoney(id);
    expect([balance < 5_000_000n, held]).toEqual([true, 0n]);
  });

  it("lists a failed file with its job's message, and accepts the same file again", async () => {
    const { headers } = await makeMember();
    const file = new File([" \n\n "], "blank.txt");
    const first = await upload(headers, file);
    await endOf(headers, first.json.job_id);
    const { json } = await call("GET", `${PATH}?status=failed`, { headers });
    expect(json.data[0].job.error).toEqual({
      code: "no_extractable_text",
      message: "The document has no text. Upload one that does.",
    });
    const again = await upload(headers, file);
    expect(again.json).toMatchObject({ id: first.json.id, deduplicated: true });
    expect(again.json.job_id).not.toBe(first.json.job_id);
  });

  it("filters by scope, status, format, source type and title, page by page", async () => {
    const { headers } = await makeMember();
    await ingest(headers, "# Night shift\n\nIt begins late.", { source_type: "guideline" });
    await ingest(headers, "# Day shift\n\nIt begins early.");
    await ingest(headers, "# Own 100% notes_\n\nNobody else's.", { scope: "personal_kb" });
    const cases: [string, string[]][] = [
      ["", ["Own 100% notes_", "Day shift", "Night shift"]],
      ["?scope=personal_kb", ["Own 100% notes_"]],
      ["?scope=customer_kb", ["Day shift", "Night shift"]],
      ["?source_type=guideline", ["Night shift"]],
      ["?title=SHIFT", ["Day shift", "Night shift"]],
      ["?title=100%25", ["Own 100% notes_"]],
      // Two of the files have it in their names.
      ["?title=_", ["Own 100% notes_", "Day shift", "Night shift"]],
      ["?title=%25", ["Own 100% notes_"]],
      ["?format=markdown", ["Own 100% notes_", "Day shift", "Night shift"]],
      ["?format=pdf", []],
      ["?status=failed", []],
      ["?status=completed&title=day", ["Day shift"]],
    ];
    for (const [query, wanted] of cases) {
      expect(await titles(headers, query), query).toEqual(wanted);
    }
    const first = await call("GET", `${PATH}?limit=2`, { headers });
    expect(first.json).toMatchObject({ has_more: true, next_cursor: first.json.data[1].id });
    expect(await titles(headers, `?limit=2&after=${first.json.next_cursor}`)).toEqual([
      "Night shift",
    ]);
  });

  it("rejects an invalid filter by name", async () => {
    const { headers } = await makeMember();
    const cases = {
      scope: "public_kb",
      status: "done",
      format: "exe",
      limit: "0",
      after: "DROP TABLE",
      title: "x".repeat(201),
      nope: "1",
    };
    for (const [name, value] of Object.entries(cases)) {
      const { status, json } = await call("GET", `${PATH}?${name}=${value}`, { headers });
      expect([status, json.error.param], name).toEqual([400, name]);
    }
    for (const ids of ["", "job_1,DROP", "%00", "x".repeat(10_001)]) {
      const { status } = await call("GET", `${PATH}/jobs?ids=${ids}`, { headers });
      expect(status, ids.slice(0, 20)).toBe(400);
    }
  });

  it("rejects an invalid or unaffordable upload and stores nothing", async () => {
    const { id, headers } = await makeMember();
    const file = new File(["x"], "x.txt");
    const cases: [
      Promise<{ status: number; json: { error: { param: string } } }>,
      number,
      string,
    ][] = [
      [upload(headers, file, { scope: "public_kb" }), 403, "scope"],
      [upload(headers, file, { scope: "web" }), 403, "scope"],
      [upload(headers, new File([], "empty.txt")), 400, "file"],
      [upload(headers, file, { url: "javascript:alert(1)" }), 400, "url"],
    ];
    for (const [answer, status, param] of cases) {
      const { status: answered, json } = await answer;
      expect([answered, json.error.param]).toEqual([status, param]);
    }
    await setBalance(id, 0);
    const poor = await upload(headers, file);
    expect([poor.status, poor.json.error.code]).toEqual([402, "insufficient_balance"]);
    expect(await db().document.count({ where: { accountId: id } })).toBe(0);
  });

  it("cancels a queued job, and reports one that has already ended", async () => {
    const { headers } = await makeMember();
    const { json } = await upload(headers, new File([HANDBOOK], "handbook.md"));
    const cancelled = await call("POST", `${PATH}/jobs/${json.job_id}/cancel`, { headers });
    expect([200, 409]).toContain(cancelled.status);
    const done = await endOf(headers, json.job_id);
    expect(done.status).toBe(cancelled.status === 200 ? "cancelled" : "completed");
    const { json: other } = await upload(headers, new File(["Another text."], "other.txt"));
    await endOf(headers, other.job_id);
    const late = await call("POST", `${PATH}/jobs/${other.job_id}/cancel`, { headers });
    expect([late.status, late.json.error.code]).toEqual([409, "conflict"]);
  });

  it("deletes a document, leaving only a tombstone", async () => {
    const { headers } = await makeMember();
    const id = await ingest(headers);
    const deleted = await call("DELETE", `${PATH}/${id}`, { headers });
    expect(deleted.json).toEqual({ id, object: "kb.document", deleted: true });
    expect(await titles(headers)).toEqual([]);
    expect((await call("GET", `${PATH}/${id}/text?from=0`, { headers })).status).toBe(404);
    expect((await call("DELETE", `${PATH}/${id}`, { headers })).status).toBe(404);
    expect(await db().documentTombstone.count({ where: { documentId: id } })).toBe(1);
  });
});

describe("the text of a document", () => {
  it("is read in windows, with the passages that overlap them", async () => {
    const { headers } = await makeMember();
    const paragraphs = Array.from({ length: 1500 }, (_, at) => `Line ${at} expects of the ward.`);
    const id = await ingest(headers, `# Manual\n\n${paragraphs.join("\n\n")}`);
    const read = async (look: string) =>
      (await call("GET", `${PATH}/${id}/text?${look}`, { headers })).json;
    const first = await read("from=0");
    const second = await read(`from=${first.end}`);
    const { text } = await db().document.findFirstOrThrow({ where: { id } });
    expect(first).toMatchObject({ object: "kb.text", document_id: id, start: 0 });
    expect(first.length).toBe(text?.length);
    expect(first.text + second.text).toBe(text?.slice(0, second.end));
    expect(await read(`to=${first.end}`)).toEqual(first);
    const around = await read(`around=${first.end}`);
    expect([around.start < first.end, around.end > first.end]).toEqual([true, true]);
    for (const window of [first, second, around]) {
      expect(window.passages.length).toBeGreaterThan(2);
      for (const passage of window.passages) {
        expect(passage.char_start).toBeLessThan(window.end);
        expect(passage.char_end).toBeGreaterThan(window.start);
      }
    }
  });

  it("is empty before processing, and rejects an invalid range", async () => {
    const { headers } = await makeMember();
    const id = await ingest(headers, " \n ");
    const empty = await call("GET", `${PATH}/${id}/text?from=0`, { headers });
    expect(empty.json).toMatchObject({ length: 0, start: 0, end: 0, text: "", passages: [] });
    for (const look of ["", "from=-1", "from=x", "from=1e99", "from=0&to=1", "at=3"]) {
      const { status } = await call("GET", `${PATH}/${id}/text?${look}`, { headers });
      expect(status, look).toBe(400);
    }
  });

  it("of a public document can be read by anyone and deleted by no one", async () => {
    const { headers } = await makeMember();
    const { id } = await db().document.findFirstOrThrow({
      where: { scope: "public_kb", text: { not: null } },
    });
    const { status, json } = await call("GET", `${PATH}/${id}/text?from=0`, { headers });
    expect([status, json.text.length > 0]).toEqual([200, true]);
    expect((await call("DELETE", `${PATH}/${id}`, { headers })).status).toBe(404);
    expect(await db().document.count({ where: { id } })).toBe(1);
  });
});

describe("a search from the console", () => {
  const search = (headers: Headers, body: object) =>
    call("POST", `${PATH}/search`, {
      headers,
      body: { preset: "company", explain: true, ...body },
    });

  it("finds what the member can read, explains why, and is charged like an API search", async () => {
    const { id, headers } = await makeMember();
    const document = await ingest(headers, "# Zebrafish\n\nThe zebrafish clinic opens at 07:45.");
    const own = await ingest(headers, "My zebrafish is called Ada.", { scope: "personal_kb" });
    const { balance } = await readMoney(id);
    const found = await search(headers, { query: "zebrafish", sources: ["customer_kb"] });
    expect(found.json.data).toEqual([
      expect.objectContaining({
        document_id: document,
        explain: expect.objectContaining({ lexical_rank: 1, vector_rank: null }),
      }),
    ]);
    const mine = await search(headers, {
      query: "zebrafish",
      preset: "personal",
      sources: ["personal_kb"],
    });
    expect(mine.json.data.map((hit: { document_id: string }) => hit.document_id)).toEqual([own]);
    expect((await readMoney(id)).balance).toBe(balance - 1000n);
    const cut = await search(headers, {
      query: "zebrafish",
      min_score: 1,
      sources: ["customer_kb"],
    });
    expect([cut.json.data, cut.json.explain.cut.length]).toEqual([[], 1]);
  });

  it("rejects invalid input", async () => {
    const { headers } = await makeMember();
    const cases: [object, number, string][] = [
      [{ query: "" }, 400, "query"],
      [{ query: "x", preset: "all" }, 400, "preset"],
      [{ query: "x", min_score: 2 }, 400, "min_score"],
      [{ query: "x", sources: ["personal_kb"] }, 403, "sources"],
      [{ query: "x", preset: "personal", sources: ["customer_kb"] }, 403, "sources"],
    ];
    for (const [body, status, param] of cases) {
      const answer = await search(headers, body);
      expect([answer.status, answer.json.error.param]).toEqual([status, param]);
    }
  });
});

describe("the walls around a member's documents", () => {
  it("hold for outsiders, for other sites, for other accounts and for other members", async () => {
    const { id: accountId, headers } = await makeMember();
    const outsider = (await makeMember()).headers;
    const colleague = await joinMember(accountId);
    const shared = await upload(headers, new File([HANDBOOK], "handbook.md"));
    const own = await upload(headers, new File(["A diary."], "diary.txt"), {
      scope: "personal_kb",
    });
    const [sharedJob, ownJob] = [shared.json.job_id, own.json.job_id];
    await Promise.all([endOf(headers, sharedJob), endOf(headers, ownJob)]);
    const statuses = async (caller: Headers, id: string, jobId: string) => [
      (await call("GET", `${PATH}/${id}/text?from=0`, { headers: caller })).status,
      (await call("POST", `${PATH}/jobs/${jobId}/cancel`, { headers: caller })).status,
      (await call("DELETE", `${PATH}/${id}`, { headers: caller })).status,
    ];
    expect(await statuses(outsider, shared.json.id, sharedJob)).toEqual([404, 404, 404]);
    expect(await statuses(outsider, own.json.id, ownJob)).toEqual([404, 404, 404]);
    expect(await statuses(colleague, own.json.id, ownJob)).toEqual([404, 404, 404]);
    expect(await statuses({}, shared.json.id, sharedJob)).toEqual([401, 401, 401]);
    expect(await titles(outsider)).toEqual([]);
    expect(await titles(colleague)).toEqual(["Ward handbook"]);
    expect(await titles(headers)).toEqual(["diary", "Ward handbook"]);
    const jobs = (caller: Headers) =>
      call("GET", `${PATH}/jobs?ids=${sharedJob},${ownJob}`, { headers: caller });
    expect((await jobs(headers)).json.data).toHaveLength(2);
    expect((await jobs(colleague)).json.data.map((job: { id: string }) => job.id)).toEqual([
      sharedJob,
    ]);
    expect((await jobs(outsider)).json.data).toEqual([]);
    const foreign = { ...headers, origin: "https://evil.example" };
    const refused = await call("DELETE", `${PATH}/${shared.json.id}`, { headers: foreign });
    expect(refused.status).toBe(403);
    expect((await upload(foreign, new File(["x"], "x.txt"))).status).toBe(403);
    expect(await titles(headers)).toHaveLength(2);
  });

  it("separates the member from a key's person, even with the same name", async () => {
    const { ctx, headers } = await makeMember();
    const { secret } = await makeKey(ctx, {
      knowledge_scopes: ["public_kb", "personal_kb"],
      person: ctx.actor.id,
    });
    const { json } = await call("POST", "/v1/kb/documents", {
      key: secret,
      body: { scope: "personal_kb", text: "Somebody else's, of the same name." },
    });
    expect(await titles(headers)).toEqual([]);
    expect((await call("GET", `${PATH}/${json.id}/text?from=0`, { headers })).status).toBe(404);
    const own = await makeKey(ctx, { knowledge_scopes: ["public_kb", "personal_kb"] });
    const mine = await call("POST", "/v1/kb/documents", {
      key: own.secret,
      body: { scope: "personal_kb", text: "The member's own." },
    });
    expect((await call("GET", PATH, { headers })).json.data[0].id).toBe(mine.json.id);
  });
});
