import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { call, dispatch } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
import { syncCommand } from "./options";
import type { SyncOptions } from "./run";
import { runSync } from "./run";

beforeAll(async () => {
  await startBackgroundWork();
  vi.stubGlobal("fetch", dispatch);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await stopBackgroundWork();
});

async function makeFolder(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), "footnote-sync-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

function sync(root: string, key: string, more: Partial<SyncOptions> = {}): Promise<number> {
  return runSync({
    ...{ root, key, baseUrl: "http://localhost:3000", scope: "customer_kb", prefix: "ward/" },
    ...{
      sourceType: null,
      store: null,
      attributes: {},
      concurrency: 2,
      isDryRun: false,
      isEmptyAllowed: false,
      ...more,
    },
  });
}

async function documents(key: string): Promise<Record<string, string>> {
  const { json } = await call("GET", "/v1/kb/documents?limit=100", { key });
  return Object.fromEntries(
    json.data.map(({ external_id, id }: { external_id: string; id: string }) => [external_id, id]),
  );
}

describe("kb sync", () => {
  it("uploads what is new or changed, and removes what is gone", async () => {
    const { key, id: accountId } = await makeKeyedAccount();
    const other = { scope: "customer_kb", external_id: "other/kept.txt", text: "Kept." };
    await call("POST", "/v1/kb/documents", { key, body: other });
    const root = await makeFolder({
      "hours.md": "# Hours\n\nThe ward opens at nine.",
      "a/tank.txt": "The tank is fed at noon.",
      "a/copy.txt": "The tank is fed at noon.",
      ".hidden.txt": "Not for anyone.",
      "photo.heic": "no document",
    });
    expect(await sync(root, key)).toBe(0);
    const first = await documents(key);
    const names = ["other/kept.txt", "ward/a/copy.txt", "ward/a/tank.txt", "ward/hours.md"];
    expect(Object.keys(first).sort()).toEqual(names);

    const { balance } = await readMoney(accountId);
    expect(await sync(root, key)).toBe(0);
    expect(await readMoney(accountId)).toMatchObject({ balance, held: 0n });
    expect(await documents(key)).toEqual(first);

    await writeFile(path.join(root, "hours.md"), "# Hours\n\nThe ward opens at ten.");
    await rm(path.join(root, "a/tank.txt"));
    expect(await sync(root, key, { isDryRun: true })).toBe(0);
    expect(await documents(key)).toEqual(first);
    expect(await sync(root, key)).toBe(0);
    const { "ward/a/tank.txt": _, ...rest } = first;
    expect(await documents(key)).toEqual(rest);
    const body = { query: "ward opens", sources: ["customer_kb"], min_score: 0 };
    const found = await call("POST", "/v1/kb/search", { key, body });
    expect(found.json.data[0].text).toBe("The ward opens at ten.");
  });

  it("adds documents to a store and sets their attributes, once", async () => {
    const { key } = await makeKeyedAccount();
    const root = await makeFolder({ "hours.md": "The ward opens at nine.", "tank.txt": "Fed." });
    expect(await sync(root, key)).toBe(0);
    await writeFile(path.join(root, "tank.txt"), "The tank is fed at noon.");
    await writeFile(path.join(root, "new.txt"), "The newest of all.");
    const options = { store: "Ward", attributes: { team: "night", year: 2026, draft: null } };
    const stores = async () => (await call("GET", "/v1/vector_stores", { key })).json.data;
    expect(await sync(root, key, { ...options, isDryRun: true })).toBe(0);
    expect((await stores()).map(({ name }: { name: string }) => name)).not.toContain("Ward");

    expect(await sync(root, key, options)).toBe(0);
    const { id } = (await stores()).find(({ name }: { name: string }) => name === "Ward");
    const files = async () =>
      (await call("GET", `/v1/vector_stores/${id}/files`, { key })).json.data;
    const attributes = { team: "night", year: 2026 };
    expect((await files()).map((file: { attributes: object }) => file.attributes)).toEqual([
      attributes,
      attributes,
      attributes,
    ]);

    expect(await sync(root, key, { ...options, store: id })).toBe(0);
    expect(await files()).toHaveLength(3);
    vi.stubEnv("FOOTNOTE_API_KEY", key);
    const given = 'team=, year="2027",open=true, rate=-0.5,code=007,place=a=b';
    const run = syncCommand([root, "--prefix", "ward/", "--attributes", given]);
    expect(await run()).toBe(0);
    expect((await files())[0].attributes).toEqual({
      ...{ year: "2027", open: true, rate: -0.5, code: "007", place: "a=b" },
    });
  });

  it("names documents by the folder, wherever npm was called", async () => {
    const { key } = await makeKeyedAccount();
    const root = await makeFolder({ "tank.txt": "The tank is fed at noon." });
    vi.stubEnv("FOOTNOTE_API_KEY", key);
    vi.stubEnv("INIT_CWD", path.dirname(root));
    for (const folder of [path.basename(root), `./${path.basename(root)}/.`]) {
      expect(await syncCommand([folder])()).toBe(0);
    }
    vi.stubEnv("INIT_CWD", root);
    expect(await syncCommand(["."])()).toBe(0);
    expect(Object.keys(await documents(key))).toEqual([`${path.basename(root)}/tank.txt`]);
  });

  it("refuses a store that isn't the only one with its name, before it uploads", async () => {
    const { key } = await makeKeyedAccount();
    const root = await makeFolder({ "tank.txt": "The tank is fed at noon." });
    for (const name of ["Ward", "Ward"]) {
      await call("POST", "/v1/vector_stores", { key, body: { name } });
    }
    await expect(sync(root, key, { store: "Ward" })).rejects.toThrow("by its id");
    expect(await documents(key)).toEqual({});
  });

  it("refuses to remove everything for an empty folder", async () => {
    const { key } = await makeKeyedAccount();
    const full = await makeFolder({ "tank.txt": "The tank is fed at noon." });
    expect(await sync(full, key)).toBe(0);
    const empty = await makeFolder({});
    await expect(sync(empty, key)).rejects.toThrow("--allow-empty");
    expect(Object.keys(await documents(key))).toEqual(["ward/tank.txt"]);
    expect(await sync(empty, key, { isEmptyAllowed: true })).toBe(0);
    expect(await documents(key)).toEqual({});
  });

  it("reports a file that can't be read as a document and syncs the others", async () => {
    const { key } = await makeKeyedAccount();
    const root = await makeFolder({ "empty.txt": " \n", "tank.txt": "The tank is fed at noon." });
    expect(await sync(root, key)).toBe(1);
    const body = { query: "tank fed", sources: ["customer_kb"], min_score: 0 };
    expect((await call("POST", "/v1/kb/search", { key, body })).json.data).toHaveLength(1);
  });

  it("names what is wrong with the key", async () => {
    const root = await makeFolder({ "tank.txt": "The tank is fed at noon." });
    await expect(sync(root, "footnote_test_wrong")).rejects.toThrow(/key/i);
  });
});
