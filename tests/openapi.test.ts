import { describe, expect, it } from "vitest";
import * as z from "zod";
import { VerifyRequest } from "@/lib/answers/chat/verify-schema";
import type { RouteHandler } from "@/lib/platform/http/route";
import { describeApi, type Operation } from "./openapi/describe-api";

const modules = import.meta.glob<Record<string, RouteHandler>>("../app/v1/**/route.ts", {
  eager: true,
});

const operations: Operation[] = Object.entries(modules).flatMap(([file, module]) =>
  Object.entries(module).map(([method, handler]) => ({
    path: file.replace(/^\.\.\/app|\/route\.ts$/g, "").replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"),
    method,
    facts: handler.facts,
  })),
);

const schemaModules = import.meta.glob<Record<string, unknown>>(
  ["../lib/**/*schema.ts", "../lib/models/catalogue.ts", "../lib/answers/responses/events.ts"],
  { eager: true },
);

/** Two of a name, or the name of a global of JavaScript, which a generated client would hide. */
const PUBLIC_NAMES: Record<string, string> = {
  ChatRequest: "ChatCompletionRequest",
  Document: "KbDocument",
  DocumentPage: "KbDocumentPage",
  Job: "KbJob",
  ResponseObject: "Response",
};

/** Exported schemas by name: the components of the document. */
const exported = new Map(
  Object.entries(schemaModules).flatMap(([file, module]) =>
    Object.entries(module).flatMap(([name, value]) =>
      value instanceof z.ZodType ? [[value, nameOf(name, file)] as const] : [],
    ),
  ),
);

function nameOf(name: string, file: string): string {
  const isResponse = file.includes("/responses/") && !name.includes("Response");
  return PUBLIC_NAMES[name] ?? (isResponse ? `Response${name}` : name);
}

interface Described {
  operationId: string;
  tags: string[];
  requestBody?: { content: Record<string, unknown> };
  parameters: object[];
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

const document = describeApi(operations, exported) as Document;
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** The named bodies that routes read as JSON. */
const bodies = new Map(
  operations.flatMap(({ facts: { body } }) => {
    const name = body && exported.get(body);
    return name && body && objectOf(body) ? [[body, name] as const] : [];
  }),
);

/** Without what reads null as absent. */
function objectOf(shape: z.ZodType): z.ZodObject | null {
  const inner = shape instanceof z.ZodPipe ? shape.out : shape;
  return inner instanceof z.ZodObject ? inner : null;
}

function isPlainText(described: unknown): boolean {
  const { type, ...bounds } = Object(described) as Record<string, unknown>;
  return (
    type === "string" && !["minLength", "pattern", "enum", "format"].some((name) => name in bounds)
  );
}

function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) {
    if (!Array.isArray(value)) {
      yield value as Record<string, unknown>;
    }
    for (const each of Object.values(value)) {
      yield* objectsIn(each);
    }
  }
}

describe("the OpenAPI description", () => {
  it("matches the committed file, so that API changes show in the diff", async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../public/openapi.json");
  });

  it("names the header that makes a retry safe", () => {
    expect(document.paths["/v1/billing/checkout-sessions"]?.post?.parameters).toMatchObject([
      { name: "Idempotency-Key", in: "header", required: false },
    ]);
  });

  it("describes every method that requires a key, with its response", () => {
    const gated = operations.filter(({ facts }) => facts.gate.scope);
    expect(gated.length).toBeGreaterThanOrEqual(10);
    const isDescribed = ({ facts }: (typeof gated)[number]) =>
      facts.summary !== undefined && Boolean(facts.answer ?? facts.answerType);
    expect(gated.filter((operation) => !isDescribed(operation))).toEqual([]);
  });

  it("gives each operation a name of its own, and a tag", () => {
    const ids = described.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(described.filter(({ tags }) => tags.length !== 1)).toEqual([]);
  });

  it("has a component for each body, and for each schema that others share", () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining([
        "ChatCompletion",
        "Citation",
        "KbDocument",
        "Response",
        "ErrorResponse",
      ]),
    );
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    // An inline object that several places write out is a class of its own in each of them.
    const inline = new Map<string, number>();
    for (const schema of objectsIn(document)) {
      if (schema.type === "object" && Object.keys(schema.properties ?? {}).length > 4) {
        const text = JSON.stringify(schema);
        inline.set(text, (inline.get(text) ?? 0) + 1);
      }
    }
    expect([...inline].filter(([, count]) => count > 1)).toEqual([]);
  });

  it("refers only to components that exist, and has none that nothing refers to", () => {
    const referred = new Set(
      [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : [])),
    );
    const there = Object.keys(document.components.schemas).map(
      (name) => `#/components/schemas/${name}`,
    );
    expect([...referred].sort()).toEqual(there.sort());
  });

  it("allows nothing empty in a body that the server refuses", () => {
    const wider = [...bodies].flatMap(([shape, name]) => {
      const { properties = {}, ...whole } = document.components.schemas[name] ?? {};
      const texts = Object.entries(objectOf(shape)?.shape ?? {}).flatMap(([field, property]) => {
        const described = Object.entries(properties as object).find(
          ([each]) => each === field,
        )?.[1];
        const isRefused = !(property as z.ZodType).safeParse("").success;
        return isRefused && isPlainText(described) ? [`${name}.${field}`] : [];
      });
      const isBoundless = !("required" in whole || "minProperties" in whole || "oneOf" in whole);
      return shape.safeParse({}).success || !isBoundless ? texts : [name, ...texts];
    });
    expect(wider).toEqual([]);
  });

  it("asks for the text of a source to verify, or for its passage, as the server does", () => {
    const schema = z.fromJSONSchema({
      ...document.components.schemas.VerifyRequest,
      components: document.components,
    });
    const sources = [
      ...[{ text: "A" }, { text: "A", title: "B", url: "https://example.org/" }],
      ...[{ chunk_id: "c" }, { id: "a", chunk_id: "c" }],
      ...[
        {},
        { title: "B" },
        { id: "a" },
        { text: "A", chunk_id: "c" },
        { chunk_id: "c", url: "" },
      ],
    ];
    const isAccepted = (by: z.ZodType, source: object) =>
      by.safeParse({ text: "Yes [1].", sources: [source] }).success;
    expect(sources.map((source) => isAccepted(schema, source))).toEqual(
      sources.map((source) => isAccepted(VerifyRequest, source)),
    );
  });

  it("leaves out what code generators stop at", () => {
    const schemas = [...objectsIn(document)];
    const withTypes = schemas.filter(({ type }) => Array.isArray(type));
    const several = withTypes.filter(
      ({ type }) => (type as string[]).filter((name) => name !== "null").length > 1,
    );
    expect(several).toEqual([]);
    expect(schemas.filter((schema) => typeof schema.const === "boolean")).toEqual([]);
    const properties = schemas.flatMap((schema) => Object.values(schema.properties ?? {}));
    expect(properties.filter(({ type }) => type === "null")).toEqual([]);
    const names = described.map(({ parameters }) =>
      parameters.map((parameter) => Reflect.get(parameter, "name").replace("[]", "")),
    );
    expect(names.filter((each) => new Set(each).size !== each.length)).toEqual([]);
    // A generated client can't choose between two types of a body.
    const bodies = described.flatMap(({ requestBody }) => (requestBody ? [requestBody] : []));
    expect(bodies.filter(({ content }) => Object.keys(content).length !== 1)).toEqual([]);
  });
});
