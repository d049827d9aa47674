import OpenAI from "openai";
import OpenAI4 from "openai-4";
import OpenAI5 from "openai-5";
import OpenAI6 from "openai-6";
import { describe, expect, it } from "vitest";
import { apiKey, baseURL, collect } from "./product";
import { CITATIONS, EXTRACT_MODEL, QUESTION } from "./scenario";

type Stock = typeof OpenAI;
type Completion = OpenAI.ChatCompletion;
type Deletes = Record<"del" | "delete", ((id: string) => Promise<unknown>) | undefined>;

const VERSIONS: { name: string; Client: Stock }[] = [
  { name: "openai-4", Client: OpenAI4 as unknown as Stock },
  { name: "openai-5", Client: OpenAI5 as unknown as Stock },
  { name: "openai-6", Client: OpenAI6 as unknown as Stock },
  { name: "openai", Client: OpenAI },
];

describe.each(VERSIONS)("$name", ({ name, Client }) => {
  const client = new Client({ apiKey, baseURL });
  const { completions } = client.chat;
  /** Only this test's answers, because all tests share one account. */
  const tag = { client: name, run: crypto.randomUUID() };
  const request = {
    model: EXTRACT_MODEL,
    messages: [{ role: "user" as const, content: QUESTION }],
    citations: CITATIONS,
    store: true,
    metadata: tag,
  };

  it("stores plain and streamed answers, and reads, lists, updates and deletes them", async () => {
    const plain = await completions.create(request);
    const chunks = await collect(
      await completions.create({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    const streamed = chunks[0]?.id ?? "";
    const stored = await completions.retrieve(plain.id);
    const { metadata, request_id, evidence, ...answered } = stored as Completion & StoredFields;
    expect(answered).toEqual(plain);
    expect(metadata).toEqual(tag);
    expect(request_id).toBe((plain as { _request_id?: string | null })._request_id);
    expect(evidence.flatMap(({ quotes }) => quotes).length).toBeGreaterThan(0);

    const other = await completions.retrieve(streamed);
    expect(other.choices[0]?.message.content).toBe(
      chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""),
    );
    expect((other as Completion & StoredFields).evidence).toEqual(evidence);
    expect(other.usage).toEqual(chunks.at(-1)?.usage);

    const listed = await collect(completions.list({ metadata: tag, limit: 1 }));
    expect(listed.map(({ id }) => id)).toEqual([plain.id, streamed]);
    const newest = await completions.list({ metadata: tag, order: "desc" });
    expect(newest.data.map(({ id }) => id)).toEqual([streamed, plain.id]);
    const messages = await collect(completions.messages.list(plain.id));
    expect(messages).toMatchObject([{ id: `${plain.id}-0`, role: "user", content: QUESTION }]);

    const changed = await completions.update(plain.id, { metadata: { ...tag, seen: "yes" } });
    expect(changed.metadata).toEqual({ ...tag, seen: "yes" });
    expect((await completions.list({ metadata: { seen: "yes", ...tag } })).data).toHaveLength(1);

    const deleted = { id: plain.id, object: "chat.completion.deleted", deleted: true };
    expect(await remove(plain.id)).toMatchObject(deleted);
    await expect(remove(plain.id)).rejects.toBeInstanceOf(Client.NotFoundError);
    await expect(completions.retrieve(plain.id)).rejects.toMatchObject({ code: "not_found" });
    await remove(streamed);
    expect((await completions.list({ metadata: tag })).data).toEqual([]);
  });

  /** Version 4 calls it `del`. */
  async function remove(id: string): Promise<unknown> {
    const methods = completions as unknown as Deletes;
    return methods.delete ? methods.delete(id) : methods.del?.(id);
  }
});

/** A stored answer's additional fields. */
interface StoredFields {
  metadata: Record<string, string>;
  request_id: string;
  evidence: { quotes: object[] }[];
}
