import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { addDocument } from "@/lib/testing/add-document";
import { dispatch } from "@/lib/testing/api";
import { makeKeyedAccount } from "@/lib/testing/factories";

const ADDRESS = new URL("http://localhost:3000/mcp");
const INFO = { name: "test", version: "1.0.0" };
const TEXT = "Zorbafen is stored at 4 °C. Opened packs of zorbafen last 30 days.";

function optionsFor(key: string) {
  return { requestInit: { headers: { authorization: `Bearer ${key}` } }, fetch: dispatch };
}

const CLIENTS = [
  {
    name: "@modelcontextprotocol/client, which negotiates",
    version: "2026-07-28",
    connect: async (key: string) => {
      const versionNegotiation = { mode: "auto" as const };
      const client = new Client(INFO, { versionNegotiation });
      await client.connect(new StreamableHTTPClientTransport(ADDRESS, optionsFor(key)));
      return client;
    },
  },
  {
    name: "@modelcontextprotocol/client, as it is",
    version: "2025-11-25",
    connect: async (key: string) => {
      const client = new Client(INFO);
      await client.connect(new StreamableHTTPClientTransport(ADDRESS, optionsFor(key)));
      return client;
    },
  },
  {
    name: "@modelcontextprotocol/sdk",
    version: "2025-11-25",
    connect: async (key: string) => {
      const client = new Client1(INFO);
      await client.connect(new Transport1(ADDRESS, optionsFor(key)) as never);
      return client as unknown as Client;
    },
  },
];

let key: string;
let document: string;
let other: string;

beforeAll(async () => {
  const account = await makeKeyedAccount();
  key = account.key;
  document = await addDocument(account.id, { title: "Zorbafen", text: TEXT });
  other = (await makeKeyedAccount()).key;
});

interface Content {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: {
    results: { id: string; title: string; url: string }[];
    text: string;
    claims: { verdict: string }[];
    citations: { quote: string }[];
  };
}

async function callTool(client: Client, name: string, args: object): Promise<Content> {
  const result = await client.callTool({ name, arguments: { ...args } });
  return result as unknown as Content;
}

describe.each(CLIENTS)("$name", ({ connect, version }) => {
  it("connects, and lists tools, resource templates and prompts", async () => {
    const client = await connect(key);
    const spoken = client.getNegotiatedProtocolVersion?.();
    // The first generation of the client doesn't tell.
    expect(spoken ?? version).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search", "fetch", "ask", "verify"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toHaveLength(2);
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: "answer_with_citations" }]);
    await client.close();
  });

  it("searches, fetches, asks and verifies", async () => {
    const client = await connect(key);
    const found = await callTool(client, "search", { query: "zorbafen packs" });
    const [first] = found.structuredContent.results;
    expect(first?.title).toBe("Zorbafen");
    const read = await callTool(client, "fetch", { id: first?.id });
    expect(read.structuredContent.text).toBe(TEXT);
    const asked = { question: "How is zorbafen stored?", model: "footnote-extract-1" };
    const answer = await callTool(client, "ask", asked);
    expect(answer.structuredContent.text).toContain("[1]");
    expect(answer.structuredContent.citations[0]?.quote).toContain("4 °C");
    const text = "Opened packs of zorbafen last 90 days.";
    const checked = await callTool(client, "verify", { text });
    expect(checked.structuredContent.claims).toMatchObject([{ verdict: "contradicted" }]);
  });

  it("reads a document and gets the prompt", async () => {
    const client = await connect(key);
    const { contents } = await client.readResource({ uri: `footnote://documents/${document}` });
    expect(contents).toMatchObject([{ text: TEXT }]);
    const named = { name: "answer_with_citations", arguments: { question: "Why?" } };
    const { messages } = await client.getPrompt(named);
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining("Why?") });
  });

  it("gets an error of a tool as a result, and sees nothing of another key", async () => {
    const client = await connect(other);
    const missing = await callTool(client, "fetch", { id: document });
    expect(missing.isError).toBe(true);
    expect(JSON.parse(missing.content[0]?.text ?? "").error.code).toBe("not_found");
    const found = await callTool(client, "search", { query: "zorbafen packs" });
    expect(found.content[0]?.text).not.toContain(document);
    await expect(client.readResource({ uri: `footnote://documents/${document}` })).rejects.toThrow(
      "no such document",
    );
  });

  it("can't connect with a wrong key", async () => {
    await expect(connect(`${key}x`)).rejects.toThrow(/401|invalid_api_key|Unauthorized/);
  });
});
