import { Ajv2020 as Ajv } from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import { EXAMPLES } from "./examples";
import { fieldsOf, formatLimit, formatType } from "./json-schema";
import { groupOperations, readApi } from "./openapi";
import { samplesOf } from "./request-samples";
import { exampleOf, RESPONSES } from "./response-example";

const JSON_LINES = "application/jsonl";
const api = readApi();
const resources = groupOperations(api);
const operations = resources.flatMap((resource) => resource.operations);

function sampleOf(label: string, name: string): string {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === name);
  const samples = operation ? samplesOf(operation) : [];
  return samples.find((sample) => sample.label === label)?.code ?? "";
}

describe("the API reference", () => {
  it("lists each operation once, with a unique anchor", () => {
    const described = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      described.sort(),
    );
    expect(new Set(operations.map(({ anchor }) => anchor)).size).toBe(operations.length);
  });

  it("has a page for each resource", () => {
    expect(resources.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(["chat", "responses", "verify", "search", "documents", "jobs"]),
    );
    const usage = resources.find(({ slug }) => slug === "usage");
    expect(usage?.operations.map(({ path }) => path)).toEqual(["/v1/billing/usage"]);
  });

  it("has an example for each request body that matches its schema", () => {
    for (const { method, path, requestBody } of operations.filter(
      ({ requestBody }) => requestBody && !requestBody.content[JSON_LINES],
    )) {
      const { body = null, form = [] } = EXAMPLES[`${method} ${path}`] ?? {};
      const sent = body ? Object.keys(body) : form.map((field) => field.split("=")[0] ?? "");
      const type = body ? "application/json" : "multipart/form-data";
      const schema = fieldsOf(requestBody?.content[type]?.schema ?? {});
      expect(sent.length, path).toBeGreaterThan(0);
      expect(Object.keys(schema?.properties ?? {}), path).toEqual(expect.arrayContaining(sent));
      expect(sent, path).toEqual(expect.arrayContaining(schema?.required ?? []));
    }
  });

  it("has an example for each body of JSON Lines", () => {
    const ofLines = operations.filter(({ requestBody }) => requestBody?.content[JSON_LINES]);
    const names = ofLines.map(({ method, path }) => `${method} ${path}`);
    expect(names.filter((name) => !EXAMPLES[name]?.lines?.length)).toEqual([]);
  });

  it("has examples only for existing operations and parameters", () => {
    for (const [name, { query }] of Object.entries(EXAMPLES)) {
      const operation = operations.find(({ method, path }) => `${method} ${path}` === name);
      expect(operation, name).toBeDefined();
      const sent = [...new URLSearchParams(query).keys()].map((key) => key.replace(/\[.*/, ""));
      expect(operation?.parameters.map((parameter) => parameter.name)).toEqual(
        expect.arrayContaining(sent),
      );
    }
  });

  it("describes each parameter", () => {
    const undescribed = operations.flatMap(({ method, path, parameters }) =>
      parameters
        .filter(({ schema }) => !schema.description)
        .map(({ name }) => `${method} ${path}: ${name}`),
    );
    expect(undescribed).toEqual([]);
  });

  it("shows each operation in four languages", () => {
    for (const operation of operations) {
      const samples = samplesOf(operation);
      expect(samples.map(({ label }) => label)).toEqual(["curl", "Python", "TypeScript", "Go"]);
      for (const { code } of samples) {
        expect(code).toContain("http://localhost:3000/v1/");
        expect(code).toContain("FOOTNOTE_API_KEY");
        expect(code).not.toMatch(/undefined|\[object/);
      }
    }
  });

  it("fills ids in as each language does", () => {
    const name = "delete /v1/kb/documents/{id}";
    expect(sampleOf("curl", name)).toBe(
      'curl -X DELETE http://localhost:3000/v1/kb/documents/$ID \\\n  -H "Authorization: Bearer $FOOTNOTE_API_KEY"',
    );
    expect(sampleOf("Python", name)).toContain('f"http://localhost:3000/v1/kb/documents/{id}"');
    expect(sampleOf("TypeScript", name)).toMatch(/documents\/\$\{id\}`/);
    expect(sampleOf("Go", name)).toContain(
      '"http://localhost:3000/v1/kb/documents/"+os.Getenv("ID")',
    );
  });

  it("writes values as each language does", () => {
    const name = "post /v1/chat/completions";
    expect(sampleOf("Python", name)).toContain('"enabled": True');
    expect(sampleOf("TypeScript", name)).toContain("enabled: true");
    expect(sampleOf("Python", "get /v1/kb/documents/{id}/content")).toContain(
      "len(response.content)",
    );
  });
});

describe("example responses", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const successes = operations.flatMap(({ method, path, responses }) => {
    const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
    const schema = success?.content?.["application/json"]?.schema;
    return schema ? [{ name: `${method} ${path}`, schema }] : [];
  });

  it("exist only for operations that there are", () => {
    const names = successes.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(RESPONSES)));
  });

  it.each(successes)("match their schema: $name", ({ name, schema }) => {
    const matches = ajv.compile(schema);
    for (const body of [RESPONSES[name], exampleOf(schema)].filter(Boolean)) {
      expect(matches(body), JSON.stringify(matches.errors)).toBe(true);
    }
  });
});

describe("schema labels", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: ["boolean", "null"] }, "boolean or null"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "integer or null"],
    [
      { anyOf: [{ anyOf: [{ type: "string" }, { type: "array" }] }, { type: "null" }] },
      "string or array or null",
    ],
    [{ type: "array", items: { type: "string" } }, "array of string"],
    [{ const: "list", type: "string" }, '"list"'],
    [{ enum: ["a", "b"], type: "string" }, '"a", "b"'],
    [{ type: "string", format: "binary" }, "file"],
    [{}, "any JSON"],
  ])("%j is %s", (schema, words) => {
    expect(formatType(schema)).toBe(words);
  });

  it.each([
    [{ minimum: 1, maximum: 50, default: 8 }, "1 to 50, default 8"],
    [{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "at least 1"],
    [{ minLength: 1 }, "at least 1 character"],
    [{ anyOf: [{ minimum: 1, maximum: 128 }, { type: "null" }] }, "1 to 128"],
    [
      { maxItems: 3, items: { minLength: 1, maxLength: 64 } },
      "at most 3 entries, each 1 to 64 characters",
    ],
    [{ default: false }, "default false"],
    [{ type: "string" }, ""],
  ])("%j is bounded by %j", (schema, words) => {
    expect(formatLimit(schema)).toBe(words);
  });
});
