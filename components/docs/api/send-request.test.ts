import { describe, expect, it } from "vitest";
import { sendRequest, type TryItAnswer, type TryItSpec, toFetch } from "./send-request";

const SPEC: TryItSpec = {
  method: "GET",
  path: "/v1/kb/jobs/{job_id}",
  ids: ["job_id"],
  query: "",
  body: null,
  type: "application/json",
  form: null,
};
const VALUES = { key: " footnote_test_x ", ids: {}, query: "", body: "", file: null };

function answerOf(response: Response): Promise<TryItAnswer[]> {
  const answers: TryItAnswer[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = async () => response;
  return sendRequest(["/v1/models", {}], (answer) => answers.push(answer))
    .finally(() => {
      globalThis.fetch = original;
    })
    .then(() => answers);
}

describe("toFetch", () => {
  it("fills in ids, so that they can't change the path, and sends the key without the session", () => {
    const [address, init] = toFetch(SPEC, {
      ...VALUES,
      ids: { job_id: "../billing" },
      query: "wait=30",
    });
    expect(address).toBe("/v1/kb/jobs/..%2Fbilling?wait=30");
    expect(init).toMatchObject({ method: "GET", credentials: "omit" });
    expect(init.body).toBeUndefined();
    expect(new Headers(init.headers).get("authorization")).toBe("Bearer footnote_test_x");
  });

  it("sends the body as typed, with its type", () => {
    const spec = { ...SPEC, method: "POST", path: "/v1/embeddings", ids: [], body: "{}" };
    const [address, init] = toFetch(spec, { ...VALUES, body: '{"input": 1' });
    expect(address).toBe("/v1/embeddings");
    expect(init.body).toBe('{"input": 1');
    expect(new Headers(init.headers).get("content-type")).toBe("application/json");
  });

  it("sends a form with the chosen file, and leaves its type to the browser", () => {
    const file = new File(["x"], "a.md");
    const form = ["scope=customer_kb", "file=@guideline.pdf"];
    const [, init] = toFetch({ ...SPEC, method: "POST", form }, { ...VALUES, file });
    const body = init.body as FormData;
    expect([...body.keys()]).toEqual(["scope", "file"]);
    expect((body.get("file") as File).name).toBe("a.md");
    expect(new Headers(init.headers).has("content-type")).toBe(false);
  });
});

describe("sendRequest", () => {
  it("shows JSON with indents, its status and its request id", async () => {
    const response = Response.json(
      { error: 1 },
      { status: 403, headers: { "x-request-id": "req_1" } },
    );
    expect(await answerOf(response)).toMatchObject([
      { status: 403, requestId: "req_1", text: '{\n  "error": 1\n}' },
    ]);
  });

  it("shows a stream as it arrives, and the size of a file", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("data: a\n\n"));
        controller.enqueue(new TextEncoder().encode("data: b\n\n"));
        controller.close();
      },
    });
    const stream = new Response(body, { headers: { "content-type": "text/event-stream" } });
    const answers = await answerOf(stream);
    expect(answers.map(({ text }) => text)).toEqual(["data: a\n\n", "data: a\n\ndata: b\n\n"]);
    const image = new Response("1234", { headers: { "content-type": "image/png" } });
    expect(await answerOf(image)).toMatchObject([{ text: "image/png, 4 bytes" }]);
  });
});
