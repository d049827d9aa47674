import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/platform/db/client";
import { processSingleton } from "@/lib/singleton";
import { dispatch } from "@/lib/testing/api";
import { lastUsage, makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { upstream } from "@/lib/testing/fake-upstream";
import { LARGE_TEXT } from "@/lib/testing/fake-upstream-faults";
import { captureLog } from "@/tests/planted-secrets";

/** An error response, a text, or a text that breaks off with an error code. */
type End =
  | { status: number; code: string; retryAfter?: string }
  | { text: string }
  | { text: string; brokenBy: string };

interface Row {
  name: string;
  model?: string;
  script: object;
  plain: End;
  /** Defaults to `plain`. */
  stream?: End;
  /** Number of upstream calls; defaults to 1. */
  calls?: number;
  streamCalls?: number;
}

const FAILED: End = { status: 502, code: "upstream_error" };
const TIMED_OUT: End = { status: 504, code: "upstream_timeout" };
const WHOLE: End = { text: "all of it" };
const BROKEN: End = { text: "half of", brokenBy: "upstream_error" };
/** The response begins with the upstream's. */
const EMPTY: End = { text: "", brokenBy: "upstream_error" };
const SLOW = "scripted-slow";

const ROWS: Row[] = [
  {
    name: "refuses the connection",
    model: "scripted-refusing",
    script: {},
    plain: FAILED,
    calls: 0,
  },
  {
    name: "accepts the connection and hangs",
    model: SLOW,
    script: { fault: "hangs" },
    plain: TIMED_OUT,
  },
  {
    name: "hangs after its headers",
    model: SLOW,
    script: { fault: "hangs after its head" },
    plain: TIMED_OUT,
    stream: { text: "", brokenBy: "upstream_timeout" },
  },
  {
    name: "stalls mid-response",
    model: SLOW,
    script: { fault: "stalls" },
    plain: TIMED_OUT,
    stream: { text: "half of", brokenBy: "upstream_timeout" },
  },
  { name: "is slow to start", script: { delayMs: 400, text: "all of it" }, plain: WHOLE },
  {
    name: "resets the connection before it responds",
    script: { fault: "resets" },
    plain: FAILED,
    calls: 2,
  },
  ...["resets", "ends"].map((verb) => ({
    name: `${verb} the connection mid-response`,
    script: { fault: `${verb} in the middle` },
    plain: FAILED,
    stream: BROKEN,
  })),
  { name: "sends invalid JSON", script: { fault: "is no JSON" }, plain: FAILED, stream: EMPTY },
  {
    name: "sends invalid JSON mid-response",
    script: { fault: "is no JSON in the middle" },
    plain: FAILED,
    stream: BROKEN,
  },
  {
    name: "sends a megabyte as one chunk",
    script: { fault: "is one large chunk" },
    plain: { text: LARGE_TEXT },
  },
  {
    name: "omits [DONE]",
    script: { fault: "does not say that it is done" },
    plain: WHOLE,
  },
  {
    name: "omits the finish reason",
    script: { fault: "does not say why it ended" },
    plain: WHOLE,
  },
  ...["17", "17.0", "garbage, then 17"].map((value) => ({
    name: `is rate limited with retry-after ${value}`,
    script: { status: 429, headers: { "retry-after": value } },
    plain: {
      status: 429,
      code: "rate_limit_exceeded",
      retryAfter: value.startsWith("17") ? "17" : "1",
    },
  })),
  {
    name: "fails once",
    script: { failures: 1, failure: { status: 500 }, text: "all of it" },
    plain: WHOLE,
    calls: 2,
  },
  { name: "fails", script: { status: 500 }, plain: FAILED, calls: 2 },
  {
    name: "fails with an HTML page",
    script: { fault: "is a page of an error" },
    plain: FAILED,
    calls: 2,
  },
  { name: "sends an HTML page", script: { fault: "is a page" }, plain: FAILED },
  { name: "sends an empty body", script: { fault: "is nothing" }, plain: FAILED, stream: EMPTY },
  {
    name: "declares another content type",
    script: { fault: "has another content type" },
    plain: WHOLE,
  },
  {
    name: "compresses without being asked",
    script: { fault: "is compressed unasked" },
    plain: FAILED,
    stream: EMPTY,
  },
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `redirects with ${status}`,
    script: { status, headers: { location: "/stolen" } },
    plain: FAILED,
  })),
  {
    name: "sends an error event",
    script: { fault: "tells of an error in its stream" },
    plain: FAILED,
    stream: EMPTY,
  },
  {
    name: "sends an error event mid-response",
    script: { fault: "tells of an error in the middle" },
    plain: FAILED,
    stream: BROKEN,
  },
  {
    name: "is replaced by its fallback when it hangs",
    model: "scripted-replaced",
    script: { fault: "hangs", only: "first-model" },
    plain: { text: "Hello from upstream." },
    calls: 2,
  },
  {
    name: "is replaced by its fallback when it fails between its head and its first chunk",
    model: "scripted-replaced",
    script: { fault: "is no JSON", only: "first-model" },
    plain: { text: "Hello from upstream." },
    calls: 2,
  },
  {
    name: "is replaced by its fallback when it sends an HTML page",
    model: "scripted-replaced",
    script: { fault: "is a page", only: "first-model" },
    plain: { text: "Hello from upstream." },
    calls: 2,
  },
  {
    name: "is replaced by its fallback only before the first byte",
    model: "scripted-replaced",
    script: { fault: "tells of an error in the middle", only: "first-model" },
    plain: { text: "Hello from upstream." },
    stream: BROKEN,
    calls: 2,
    streamCalls: 1,
  },
  {
    name: "is not replaced when it responds with 429",
    model: "scripted-replaced",
    script: { status: 429, only: "first-model" },
    plain: { status: 429, code: "rate_limit_exceeded", retryAfter: "1" },
  },
];

/** Over HTTP only the transport differs, so the cited form is enough. */
const CITED = process.env.FOOTNOTE_TEST_HOST === "server" ? [true] : [false, true];
const FORMS = [false, true].flatMap((isStream) =>
  CITED.map((isCited) => ({
    isStream,
    isCited,
    form: `${isStream ? "streamed" : "plain"}, ${isCited ? "cited" : "uncited"}`,
  })),
);

const PLANT = "a-message-that-nobody-else-may-read";
/** Text from the upstreams' error bodies. */
const FOREIGN = /Sign in to the network|told in|scripted failure|nonsense/;
const openStreams = processSingleton("open streams", () => new Map<string, number>());

/** Logged for what the upstream may bill although it failed. */
const SHORTFALL = "an upstream bills more than the request was charged";

let log: ReturnType<typeof captureLog>;
let account: Awaited<ReturnType<typeof makeKeyedAccount>>;

beforeAll(async () => {
  log = captureLog();
  account = await makeKeyedAccount({
    models: ["scripted", "scripted-slow", "scripted-refusing", "scripted-replaced"],
  });
});
afterAll(() => log.end());
afterEach(() => log.lines.splice(0));

interface Asked {
  model: string;
  script: object;
  isStream: boolean;
  isCited: boolean;
}

async function ask({ model, script, isStream, isCited }: Asked) {
  const response = await dispatch("http://localhost:3000/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: `${PLANT} script:${JSON.stringify(script)}` }],
      ...(isStream && { stream: true }),
      ...(isCited && { citations: { enabled: true } }),
    }),
  });
  return { response, body: await response.text() };
}

function endOf(response: Response, body: string): End {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const { error, choices } = JSON.parse(body);
    const { status, headers } = response;
    const retry = status === 429 && { retryAfter: headers.get("retry-after") ?? "none" };
    return error ? { status, code: error.code, ...retry } : { text: choices[0].message.content };
  }
  const events = body.split("\n\n").flatMap((event) => event.split("data: ")[1] ?? []);
  const last = events.pop();
  const chunks = events.map((event) => JSON.parse(event));
  const contentOf = (chunk: { choices: { delta: { content?: string } }[] }) =>
    chunk.choices[0]?.delta.content ?? "";
  const text = chunks.map(contentOf).join("");
  if (last !== "[DONE]") {
    return { text, brokenBy: JSON.parse(last ?? "").error.code };
  }
  expect(chunks.at(-1).choices[0].finish_reason).toBe("stop");
  return { text };
}

/** Shortens text so that a failure doesn't print a megabyte. */
function shortened(end: End): object {
  return "text" in end ? { ...end, text: end.text.slice(0, 100), length: end.text.length } : end;
}

function linesOf(requestId: string | null) {
  return log.lines
    .map((line) => JSON.parse(line))
    .filter(({ request_id }) => request_id === requestId)
    .map(({ msg }) => msg)
    .filter((msg) => msg !== SHORTFALL);
}

/** The recorded status and code of a failure, and its log line. */
function recordOf(end: End) {
  if ("code" in end) {
    return { status: end.status, lines: [end.status < 500 ? "request" : "request failed"] };
  }
  const isTimeout = "brokenBy" in end && end.brokenBy === "upstream_timeout";
  return "brokenBy" in end
    ? { status: isTimeout ? 504 : 502, lines: ["stream failed after the first byte"] }
    : { status: 200, lines: ["request"] };
}

async function expectNothingOpen(name: string): Promise<void> {
  const mine = upstream().seen.filter(({ body }) => JSON.stringify(body).includes(name));
  await expect.poll(() => mine.some(({ isOpen }) => isOpen)).toBe(false);
  expect(openStreams.get(account.id)).toBeUndefined();
  const money = await readMoney(account.id);
  expect(money).toMatchObject({ held: 0n, openHolds: 0n, ledgerSum: money.balance });
}

describe.each(ROWS)("an upstream that $name", ({ name, model = "scripted", ...row }) => {
  it.each(FORMS)("has the documented outcome: $form", async ({ form, ...asked }) => {
    const before = await readMoney(account.id);
    const records = await db().usageRecord.count({ where: { accountId: account.id } });
    const script = { ...row.script, name: `${name}, ${form}` };
    const { response, body } = await ask({ model, script, ...asked });
    const expected = (asked.isStream && row.stream) || row.plain;
    expect(shortened(endOf(response, body))).toEqual(shortened(expected));
    await expectNothingOpen(script.name);
    const record = recordOf(expected);
    expect(await db().usageRecord.count({ where: { accountId: account.id } })).toBe(records + 1);
    const { status, costMicros, shortfallMicros } = await lastUsage(account.id);
    expect([status, costMicros > 0n]).toEqual([record.status, record.status === 200]);
    // An upstream that failed without an error status may bill what it was sent.
    const { fault = "is a page of an error" } = row.script as { fault?: string };
    const mayBill = fault !== "is a page of an error";
    expect(record.status >= 500 && shortfallMicros > 0n).toBe(record.status >= 500 && mayBill);
    expect((await readMoney(account.id)).balance).toBe(before.balance - costMicros);
    const seen = upstream().seen.filter(({ body: sent }) =>
      JSON.stringify(sent).includes(script.name),
    );
    expect(seen).toHaveLength((asked.isStream ? row.streamCalls : undefined) ?? row.calls ?? 1);
    expect(linesOf(response.headers.get("x-request-id"))).toEqual(record.lines);
    expect(log.lines.join("")).not.toContain(PLANT);
    expect(log.lines.join("") + body).not.toMatch(FOREIGN);
    if (model !== "scripted-refusing") {
      const { response } = await ask({ model, script: {}, ...asked });
      expect(response.status).toBe(200);
    }
  });
});

it("sends nothing to a redirect target, least of all credentials", () => {
  expect(upstream().seen.filter(({ path }) => path.includes("stolen"))).toEqual([]);
});
