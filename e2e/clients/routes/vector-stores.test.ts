import OpenAI, { toFile } from "openai";
import OpenAI4 from "openai-4";
import OpenAI5 from "openai-5";
import OpenAI6 from "openai-6";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";
import { startBackgroundWork, stopBackgroundWork } from "@/server/background";

// These calls are the same in all versions, so the newest types fit.
const VERSIONS = [OpenAI4 as unknown as typeof OpenAI, OpenAI5, OpenAI6, OpenAI].map((Client) => ({
  Client: Client as typeof OpenAI,
}));
const QUICKLY = { pollIntervalMs: 100 };

beforeAll(startBackgroundWork);
afterAll(async () => {
  await stopBackgroundWork();
});

const fileOf = (label: string) =>
  toFile(Buffer.from(`The zebrafish tank of the ${label} is cleaned on Tuesdays.`), `${label}.txt`);

describe.each(VERSIONS)("the vector stores of a stock client", ({ Client }) => {
  it("take files, alone and in batches, and are searched and answered from", async () => {
    const { key } = await makeKeyedAccount();
    const client = new Client({
      ...{ apiKey: key, baseURL: "http://localhost:3000/v1", maxRetries: 0 },
      fetch: dispatch,
    });
    const store = await client.vectorStores.create({ name: "Tanks", metadata: { ward: "7" } });

    const uploaded = await client.vectorStores.files.uploadAndPoll(
      store.id,
      await fileOf("north"),
      QUICKLY,
    );
    expect(uploaded.status).toBe("completed");

    const { id: file_id } = await client.files.create({
      ...{ file: await fileOf("south"), purpose: "assistants" },
    });
    const added = await client.vectorStores.files.createAndPoll(
      store.id,
      { file_id, attributes: { floor: 2 } },
      QUICKLY,
    );
    expect(added).toMatchObject({ status: "completed", attributes: { floor: 2 } });

    const batch = await client.vectorStores.fileBatches.uploadAndPoll(
      store.id,
      { files: [await fileOf("east"), await fileOf("west")], fileIds: [file_id] },
      QUICKLY,
    );
    expect(batch).toMatchObject({ status: "completed", file_counts: { completed: 3, total: 3 } });

    const names: string[] = [];
    const search = {
      ...{ query: "When is the zebrafish tank cleaned?" },
      filters: { type: "eq" as const, key: "floor", value: 2 },
    };
    for await (const result of client.vectorStores.search(store.id, search)) {
      names.push(result.filename);
    }
    expect(names).toEqual(["south.txt"]);

    const answer = await client.responses.create({
      ...{ model: "footnote-extract-1", input: search.query },
      tools: [{ type: "file_search", vector_store_ids: [store.id] }],
    });
    expect(answer.output_text).toContain("cleaned on Tuesdays");
    const ids: string[] = [];
    for await (const { id } of client.vectorStores.files.list(store.id, { limit: 3 })) {
      ids.push(id);
    }
    expect(ids).toHaveLength(4);
    expect(await (await client.files.content(file_id)).text()).toContain("tank of the south");
  });
});
