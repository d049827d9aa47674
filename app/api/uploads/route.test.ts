import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeUploadThread } from "@/lib/library/documents/receive/upload-thread";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
  await closeUploadThread();
});

async function makeBrowser() {
  const { ctx } = await makeAccount();
  const headers = await signedIn(ctx.actor.id);
  const get = async (path: string) => (await call("GET", path, { headers })).json;
  const find = async (id: string) =>
    (await get("/api/documents")).data.find((each: { id: string }) => each.id === id);
  const until = (id: string, ready: (document: Record<string, unknown>) => boolean) =>
    expect.poll(async () => ready((await find(id)) ?? {}), { timeout: 15_000 }).toBe(true);
  return { headers, get, find, until };
}

type Headers = Record<string, string>;

function sendFile(headers: Headers, text: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ scope: "customer_kb", ...fields })) {
    form.set(name, value);
  }
  form.set("file", new File([text], fields.replaces ? "second.md" : "first.md"));
  return call("POST", "/api/documents", { headers, raw: form });
}

async function sendPart(headers: Headers, id: string, number: number, text: string) {
  const form = new FormData();
  form.set("part_number", String(number));
  form.set("data", new File([text], "part"));
  return call("POST", `/api/uploads/${id}/parts`, { headers, raw: form });
}

describe("an upload in parts from the console", () => {
  it("tells which parts arrived, and becomes a document with its file's name", async () => {
    const { headers, get, find, until } = await makeBrowser();
    const parts = ["# Ward\n\nThe ward ", "opens at seven."];
    const body = { bytes: parts.join("").length, filename: "ward.md" };
    const { json: upload } = await call("POST", "/api/uploads", { headers, body });
    await sendPart(headers, upload.id, 1, parts[0] ?? "");
    const seen = await get(`/api/uploads/${upload.id}`);
    expect(seen.parts).toMatchObject([{ part_number: 1, bytes: parts[0]?.length }]);
    await sendPart(headers, upload.id, 2, parts[1] ?? "");
    const complete = () =>
      call("POST", `/api/uploads/${upload.id}/complete`, {
        headers,
        body: { scope: "customer_kb", ocr: "auto" },
      });
    const { status, json } = await complete();
    expect([status, json.status]).toEqual([200, "completed"]);
    // A response that was lost is asked for again.
    expect((await complete()).json.document.id).toBe(json.document.id);
    await until(json.document.id, ({ chunks }) => Number(chunks) > 0);
    expect(await find(json.document.id)).toMatchObject({ title: "Ward", file_name: "ward.md" });
  });

  it("belongs to the member who began it", async () => {
    const { headers } = await makeBrowser();
    const other = await makeBrowser();
    const body = { bytes: 4, filename: "a.txt" };
    const { json } = await call("POST", "/api/uploads", { headers, body });
    for (const path of ["", "/cancel", "/complete"]) {
      const answer = await call(path ? "POST" : "GET", `/api/uploads/${json.id}${path}`, {
        headers: other.headers,
        ...(path && { body: { scope: "customer_kb" } }),
      });
      expect(answer.status, path).toBe(404);
    }
    await call("POST", `/api/uploads/${json.id}/cancel`, { headers });
    expect((await call("GET", `/api/uploads/${json.id}`, { headers })).json.status).toBe(
      "cancelled",
    );
  });
});

describe("a new version from the console", () => {
  it("takes the document's place under its id, also when another document has its bytes", async () => {
    const { headers, find, until } = await makeBrowser();
    const { json: first } = await sendFile(headers, "# Tea\n\nTea is at four.");
    const { json: other } = await sendFile(headers, "# Lunch\n\nLunch is at noon.");
    await until(first.id, ({ chunks }) => Number(chunks) > 0);
    await until(other.id, ({ chunks }) => Number(chunks) > 0);
    const { json } = await sendFile(headers, "# Lunch\n\nLunch is at noon.", {
      replaces: first.id,
    });
    expect(json.id).toBe(first.id);
    await until(first.id, ({ title }) => title === "Lunch");
    expect(await find(first.id)).toMatchObject({ file_name: "second.md", external_id: first.id });
    expect(await find(other.id)).toMatchObject({ file_name: "first.md", external_id: null });
  });

  it("is refused for a document of another account or another scope, which stays as it is", async () => {
    const { headers } = await makeBrowser();
    const stranger = await makeBrowser();
    const { json } = await sendFile(headers, "# Tea\n\nTea is at four.");
    const foreign = await sendFile(stranger.headers, "# Mine", { replaces: json.id });
    const elsewhere = await sendFile(headers, "# Mine", {
      replaces: json.id,
      scope: "personal_kb",
    });
    expect([foreign.status, elsewhere.status]).toEqual([404, 404]);
  });
});
