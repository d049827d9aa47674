import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "@/lib/testing/api";
import { makeAccount } from "@/lib/testing/factories";
import { signedIn } from "@/lib/testing/session";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

beforeAll(startBackgroundWork);
afterAll(() => stopBackgroundWork());

async function accountWith(names: string[]) {
  const headers = await signedIn((await makeAccount()).ctx.actor.id);
  const ids: string[] = [];
  for (const name of names) {
    const form = new FormData();
    form.set("scope", "customer_kb");
    form.set("file", new File([`# ${name}\n\nThe text of ${name}.`], `${name}.md`));
    const { json } = await call("POST", "/api/documents", { headers, raw: form });
    ids.push(json.id);
  }
  const list = async () => (await call("GET", "/api/documents", { headers })).json.data;
  await expect
    .poll(async () => (await list()).every((each: { chunks: number }) => each.chunks > 0), {
      timeout: 15_000,
    })
    .toBe(true);
  return { headers, ids, list };
}

describe("several documents at once", () => {
  it("get a standing and a source type, and a report of those that aren't found", async () => {
    const { headers, ids, list } = await accountWith(["First", "Second", "Third"]);
    const chosen = ids.slice(0, 2);
    const { status, json } = await call("POST", "/api/documents/update", {
      headers,
      body: { ids: [...chosen, "doc_none"], standing: "superseded", source_type: "guideline" },
    });
    expect(status).toBe(200);
    expect(json.data.map(({ updated }: { updated: boolean }) => updated)).toEqual([
      true,
      true,
      false,
    ]);
    expect(json.data[2].message).toContain("no such document");
    const changed = (await list()).filter(
      (each: { standing: string; source_type: string }) =>
        each.standing === "superseded" && each.source_type === "guideline",
    );
    expect(changed.map(({ id }: { id: string }) => id).toSorted()).toEqual(chosen.toSorted());
  });

  it("get an attribute that searches filter by, and lose it, one document like several", async () => {
    const { headers, ids, list } = await accountWith(["First", "Second"]);
    const [first, second] = ids;
    const metadata = async () =>
      Object.fromEntries(
        (await list()).map((each: { id: string; metadata: object }) => [each.id, each.metadata]),
      );
    const update = (attributes: object) =>
      call("POST", "/api/documents/update", { headers, body: { ids, attributes } });
    await update({ team: "legal" });
    await call("PATCH", `/api/documents/${first}`, {
      headers,
      body: { attributes: { team: null, year: 2026 } },
    });
    expect(await metadata()).toEqual({
      [`${first}`]: { year: 2026 },
      [`${second}`]: { team: "legal" },
    });
    const search = async (key: string) => {
      const filters = { type: "eq", key, value: "legal" };
      const body = { query: "the text", preset: "company", sources: ["customer_kb"], filters };
      return call("POST", "/api/documents/search", { headers, body: { ...body, min_score: 0 } });
    };
    expect((await search("team")).json.data).toMatchObject([{ document_id: second }]);
    expect((await search("Team")).json.error).toMatchObject({
      message: expect.stringContaining("Attributes that exist: 'team', 'year'."),
      param: "filters.key",
    });
    const { status, json } = await update({ page: 3 });
    expect([status, json.data.map((each: { updated: boolean }) => each.updated)]).toEqual([
      200,
      [false, false],
    ]);
    expect(json.data[0].message).toContain("page");
    await update({ team: null, year: null });
    expect(await metadata()).toEqual({ [`${first}`]: {}, [`${second}`]: {} });
  });

  it("are deleted, but those of another account are neither deleted nor marked", async () => {
    const { headers, ids, list } = await accountWith(["First", "Second"]);
    const stranger = await signedIn((await makeAccount()).ctx.actor.id);
    const foreign = await call("POST", "/api/documents/delete", {
      headers: stranger,
      body: { ids },
    });
    expect(foreign.json.data.every(({ deleted }: { deleted: boolean }) => !deleted)).toBe(true);
    const marked = await call("POST", "/api/documents/update", {
      headers: stranger,
      body: { ids, standing: "retracted" },
    });
    expect(marked.json.data.every(({ updated }: { updated: boolean }) => !updated)).toBe(true);
    expect((await list()).map(({ standing }: { standing: string }) => standing)).toEqual([
      "current",
      "current",
    ]);
    await call("POST", "/api/documents/delete", { headers, body: { ids: [ids[0]] } });
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([ids[1]]);
  });

  it.each([
    [{ ids: [], standing: "current" }, "ids"],
    [{ ids: ["doc_a"] }, "attributes"],
    [{ ids: ["doc_a"], source_type: "two words" }, "source_type"],
  ])("are refused for %j", async (body, param) => {
    const headers = await signedIn((await makeAccount()).ctx.actor.id);
    const { status, json } = await call("POST", "/api/documents/update", { headers, body });
    expect([status, json.error.param]).toEqual([400, param]);
  });
});
