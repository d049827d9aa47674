import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import { apiKey, baseURL } from "./product";
import { EXTRACT_MODEL, QUESTION } from "./scenario";

// Against the built server; routes/mcp.test.ts has everything else.

const address = new URL("/mcp", baseURL);
const info = { name: "test", version: "1.0.0" };
const optionsFor = (key: string) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
});

const CLIENTS: Record<string, (key: string) => Promise<Pick<Client, "callTool" | "close">>> = {
  "@modelcontextprotocol/client": async (key) => {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(address, optionsFor(key)));
    return client;
  },
  "@modelcontextprotocol/sdk": async (key) => {
    const client = new Client1(info);
    await client.connect(new Transport1(address, optionsFor(key)) as never);
    return client as unknown as Client;
  },
};

describe.each(Object.entries(CLIENTS))("%s", (_name, connect) => {
  it("asks for an answer with checked citations", async () => {
    const client = await connect(apiKey);
    const args = { question: QUESTION, model: EXTRACT_MODEL };
    const { structuredContent } = await client.callTool({ name: "ask", arguments: args });
    expect(structuredContent).toMatchObject({
      text: expect.stringContaining("[1]"),
      claims: expect.arrayContaining([expect.objectContaining({ verdict: "supported" })]),
    });
    await client.close();
  });

  it("can't connect with a wrong key", async () => {
    await expect(connect("wrong")).rejects.toThrow();
  });
});
