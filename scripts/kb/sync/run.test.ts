import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { call, dispatch } from "@/lib/testing/api";
import { makeKeyedAccount, readMoney } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";
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
    ...{ sourceType: null, concurrency: 2, isDryRun: false, isEmptyAllowed: false, ...more },
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
