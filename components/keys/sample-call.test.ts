import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { sampleCall, sampleModel } from "./sample-call";

const base = {
  secret: "footnote_test_s3cret",
  origin: "https://footnote.example",
  defaultModel: "m-default",
};

/** The arguments the shell passes to curl. */
function argumentsOf(line: string | null): string[] {
  const script = (line ?? "").replace(/^curl /, "printf '%s\\0' ");
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("sampleCall", () => {
  it("requests a cited completion from the default model", () => {
    const line = sampleCall({
      ...base,
      key: {
        scopes: ["chat:completions"],
        knowledge_scopes: ["public_kb"],
        models: null,
      },
    });
    const [url, , authorization, , , , body] = argumentsOf(line);
    expect(url).toBe("https://footnote.example/v1/chat/completions");
    expect(authorization).toBe("Authorization: Bearer footnote_test_s3cret");
    expect(JSON.parse(body ?? "")).toMatchObject({
      model: "m-default",
      citations: { enabled: true },
    });
  });

  it("names a model the key may call, and omits citations without knowledge bases", () => {
    const line = sampleCall({
      ...base,
      key: {
        scopes: ["chat:completions"],
        knowledge_scopes: [],
        models: ["m-other"],
      },
    });
    const body = JSON.parse(argumentsOf(line).at(-1) ?? "");
    expect(body.model).toBe("m-other");
    expect(body).not.toHaveProperty("citations");
  });

  it("names the default model for a key of all models", () => {
    expect(sampleModel({ models: ["*"] }, "m-default")).toBe("m-default");
  });

  it.each([
    ["kb:search", "/v1/kb/search"],
    ["kb:documents:read", "/v1/kb/documents"],
    ["billing:read", "/v1/billing/credits"],
  ] as const)("makes a call that %s allows", (scope, path) => {
    const line = sampleCall({
      ...base,
      key: { scopes: [scope], knowledge_scopes: ["public_kb"], models: null },
    });
    expect(argumentsOf(line)[0]).toBe(`https://footnote.example${path}`);
  });

  it("returns null if no scope allows a simple call", () => {
    const key = {
      scopes: ["billing:write" as const],
      knowledge_scopes: [],
      models: null,
    };
    expect(sampleCall({ ...base, key })).toBeNull();
  });
});
