import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";
import { makeAccount, makeKey } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

async function makeMember() {
  const { ctx } = await makeAccount();
  const headers = await signedIn(ctx.actor.id);
  const send = (method: string, path: string, body?: object) =>
    call(method, path, { headers, ...(body && { body }) });
  const upload = async (text: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ scope: "customer_kb", ...fields })) {
      form.set(name, value);
    }
    form.set("file", new File([text], `${newId("request")}.md`));
    return call("POST", "/api/documents", { headers, raw: form });
  };
  const create = async (name: string, scope = "customer_kb") =>
    (await send("POST", "/api/stores", { name, scope })).json.id as string;
  const stores = async () => (await send("GET", "/api/stores")).json.data;
  const listed = async (store: string) =>
    (await send("GET", `/api/documents?store=${store}`)).json.data.map(
      ({ id }: { id: string }) => id,
    );
  return { ctx, send, upload, create, stores, listed };
}

describe("vector stores in the console", () => {
  it("are created, renamed and deleted, and their documents stay", async () => {
    const { send, upload, create, stores, listed } = await makeMember();
    const id = await create("Handbooks");
    const document = await upload("# Nights\n\nThey begin at nine.", { store: id });
    expect(document.status).toBe(202);
    expect(await listed(id)).toEqual([document.json.id]);
    await send("PATCH", `/api/stores/${id}`, { name: "Manuals" });
    expect(await stores()).toEqual([
      expect.objectContaining({ id: "customer_kb", keys: [] }),
      expect.objectContaining({
        ...{ id, name: "Manuals", scope: "customer_kb", keys: [] },
        ...{ usage_bytes: 29, file_counts: expect.objectContaining({ total: 1 }) },
      }),
    ]);
    expect((await send("DELETE", `/api/stores/${id}`)).status).toBe(200);
    expect((await stores()).map((store: { id: string }) => store.id)).toEqual(["customer_kb"]);
    expect((await send("GET", "/api/documents")).json.data[0]).toMatchObject({
      ...{ id: document.json.id, stores: [] },
    });
  });

  it("name the unrevoked keys that are bound to them", async () => {
    const { ctx, create, stores } = await makeMember();
    const id = await create("Handbooks");
    const key = await makeKey(ctx, { name: "Ward", stores: [id] });
    const gone = await makeKey(ctx, { name: "Gone", stores: [id] });
    await makeKey(ctx, { name: "Unbound" });
    await db().apiKey.updateMany({ where: { id: gone.id }, data: { revokedAt: new Date() } });
    const store = (await stores()).find((each: { id: string }) => each.id === id);
    expect(store.keys).toEqual([{ id: key.id, name: "Ward" }]);
  });

  it("get documents and lose them, several at once", async () => {
    const { send, upload, create, listed } = await makeMember();
    const [first, second] = [await create("First"), await create("Second")];
    const ids: string[] = [];
    for (const text of ["The first text.", "The second text."]) {
      ids.push((await upload(text, { store: first })).json.id);
    }
    const change = (body: object) => send("POST", "/api/documents/stores", { ids, ...body });
    expect((await change({ add: [second], remove: [first] })).json.data).toEqual(ids);
    expect([await listed(first), (await listed(second)).toSorted()]).toEqual([[], ids]);
    await change({ add: [second, first] });
    const { json } = await send("GET", "/api/documents");
    expect(json.data[0].stores).toEqual([first, second]);
  });

  it("refuse documents of another knowledge base, knowledge bases themselves, and other accounts", async () => {
    const { send, upload, create, listed } = await makeMember();
    const [shared, own] = [await create("Shared"), await create("Own", "personal_kb")];
    const mine = await upload("My diary.", { scope: "personal_kb", store: own });
    expect(mine.status).toBe(202);
    const ids = [mine.json.id];
    const change = (body: object) => send("POST", "/api/documents/stores", { ids, ...body });
    const stranger = await makeMember();
    const cases: [Promise<{ status: number; json: { error: { param: string } } }>, number][] = [
      [change({ add: [shared] }), 404],
      [change({ remove: ["personal_kb"] }), 400],
      [change({ add: ["public_kb"] }), 403],
      [change({ add: [newId("vectorStore")] }), 404],
      [change({ ids: [newId("document")], add: [own] }), 404],
      [stranger.send("POST", "/api/documents/stores", { ids, add: [own] }), 404],
      [stranger.send("PATCH", `/api/stores/${own}`, { name: "Theirs" }), 404],
      [stranger.send("DELETE", `/api/stores/${own}`), 404],
      [send("PATCH", "/api/stores/customer_kb", { name: "x" }), 400],
      [send("GET", "/api/documents?store=%27"), 400],
    ];
    for (const [answer, status] of cases) {
      expect((await answer).status, JSON.stringify((await answer).json)).toBe(status);
    }
    expect([await listed(own), await listed(shared)]).toEqual([ids, []]);
    expect(await stranger.listed(own)).toEqual([]);
  });

  it("refuse an upload to a store that is gone before anything is stored", async () => {
    const { upload, create, send } = await makeMember();
    const id = await create("Handbooks");
    await send("DELETE", `/api/stores/${id}`);
    const { status } = await upload("Never stored.", { store: id });
    expect(status).toBe(404);
    expect((await send("GET", "/api/documents")).json.data).toEqual([]);
  });
});
