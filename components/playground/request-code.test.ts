import { execFileSync } from "node:child_process";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { toCurl, toPython, toTypeScript } from "./request-code";
import type { RequestBody } from "./settings";

const ORIGIN = "https://footnote.example";
const BODY: RequestBody = {
  model: "m-1",
  messages: [
    { role: "system", content: 'Say "no" \\ $HOME `id` \n\ttwice' },
    { role: "user", content: "It's 5 µg – 🫀, isn't it? ''' \"\"\" $x" },
  ],
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0.2,
  citations: { enabled: true, sources: [], quotes: false, source_types: ["label"] },
};

/** The arguments that a shell passes to curl. */
function argumentsOf(line: string): string[] {
  const script = line.replace(/^curl /, "printf '%s\\0' ");
  const env = { ...process.env, FOOTNOTE_API_KEY: "the-key" };
  return execFileSync("sh", ["-c", script], { encoding: "utf8", env }).split("\0").slice(0, -1);
}

/** Parses Python literals in a call: names, numbers, strings, lists and dictionaries. */
function readPython(code: string, name: string): unknown {
  const start = code.indexOf(`    ${name}=`) + name.length + 5;
  const end = code.slice(start).search(/\n {4}\w+=|\n\)/) + start;
  const json = code
    .slice(start, end)
    .replaceAll(
      /("(?:[^"\\]|\\.)*")|\bTrue\b|\bFalse\b|,(?=\s*[\]}]|\s*$)/g,
      (token, text) => text ?? { True: "true", False: "false" }[token as string] ?? "",
    );
  return JSON.parse(json);
}

describe("a request as code", () => {
  it("has the exact body in curl, with the key from the environment", () => {
    const [url, , , authorization, , , , json] = argumentsOf(toCurl(BODY, ORIGIN));
    expect(url).toBe(`${ORIGIN}/v1/chat/completions`);
    expect(authorization).toBe("Authorization: Bearer the-key");
    expect(JSON.parse(json ?? "")).toEqual(BODY);
  });

  it("has the same fields in Python, with citations in extra_body", () => {
    const code = toPython(BODY, ORIGIN);
    const { citations, ...rest } = BODY;
    for (const [name, value] of Object.entries({ ...rest, extra_body: { citations } })) {
      expect(readPython(code, name), name).toEqual(value);
    }
    expect(code).toContain('os.environ["FOOTNOTE_API_KEY"]');
    expect(toPython({ model: "m", messages: [] }, ORIGIN)).not.toContain("extra_body");
  });

  it("has valid TypeScript with the exact body", () => {
    const code = toTypeScript(BODY, ORIGIN);
    const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
    const literal = /const request = ([\s\S]*?\n\});\n/.exec(code)?.[1] ?? "";
    expect(JSON.parse(literal)).toEqual(BODY);
    expect(code).toContain("ChatCompletionCreateParamsStreaming");
    expect(toTypeScript({ model: "m", messages: [] }, ORIGIN)).toContain("ParamsNonStreaming");
  });
});
