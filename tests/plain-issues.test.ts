import { describe, expect, it } from "vitest";
import * as z from "zod";
import { toAppError } from "@/lib/platform/http/error-response";
import { FIRST_ISSUE } from "@/lib/platform/http/plain-issues";
import type { RouteHandler } from "@/lib/platform/http/route";

const modules = import.meta.glob<Record<string, RouteHandler>>(
  ["../app/v1/**/route.ts", "../app/api/**/route.ts", "!../app/api/auth/**"],
  { eager: true },
);

const ZOD =
  /Invalid (?:input|option|key|element|string|[A-Z]+|[a-z]+$)|Too (?:big|small)|Unrecognized|received|expected (?:string|number|boolean|array|object|record|int|nan|undefined)\b|>=|<=|pattern/;

const WRONG: unknown[] = [
  ...[
    undefined,
    null,
    true,
    5,
    -1,
    0,
    1.5,
    1e15,
    Number.NaN,
    "",
    " ",
    "x",
    "\0",
    "x".repeat(300_000),
  ],
  ...[[], [1], [""], [null], Array(2000).fill("x"), Array(2000).fill({ a: 1 }), {}, { a: 1 }],
  ...[{ text: 5 }, { __wrong__: [] }, [{ role: 5 }], [{ role: "user", content: 5 }]],
  [{ role: "user", content: [{ type: 5 }] }],
  Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`n${at}`.padEnd(100, "x"), at])),
];

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** The paths of all fields, objects inside lists and unions included. */
function pathsOf(schema: JsonSchema, path: (string | number)[] = []): (string | number)[][] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    pathsOf(property, [...path, name]),
  );
  const items = schema.items ? pathsOf(schema.items, [...path, 0]) : [];
  const branches = (schema.anyOf ?? []).flatMap((branch) => pathsOf(branch, path));
  return [path, ...inner, ...items, ...branches];
}

function bodyWith([first, ...rest]: (string | number)[], value: unknown): unknown {
  if (first === undefined) {
    return value;
  }
  const inner = bodyWith(rest, value);
  return first === 0 ? [inner] : { [first]: inner };
}

function messagesOf(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => [
    issue.message,
    ...(issue.code === "invalid_union" ? issue.errors.flatMap(messagesOf) : []),
  ]);
}

function toJson(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/** The messages about each field with each wrong value. */
function messagesAbout(schema: z.ZodType): ReadonlySet<string> {
  const bodies = pathsOf(toJson(schema)).flatMap((path) =>
    WRONG.map((wrong) => bodyWith(path, wrong)),
  );
  const messages = bodies.flatMap((body) => {
    const { error } = schema.safeParse(body, FIRST_ISSUE);
    return error ? [...messagesOf(error.issues), toAppError(error).message] : [];
  });
  // `toAppError` has words of its own for unknown fields.
  return new Set(messages.filter((message) => !message.startsWith("Unrecognized")));
}

const schemas = Object.entries(modules).flatMap(([file, handlers]) =>
  Object.entries(handlers).flatMap(([method, { facts }]) =>
    (["params", "query", "body"] as const).flatMap((place) => {
      const schema = facts?.[place];
      return schema ? [{ name: `${method} ${file.slice(7, -9)} ${place}`, schema }] : [];
    }),
  ),
);

describe("messages about a wrong request", () => {
  it.each(schemas)("are plain words for every field: $name", ({ schema }) => {
    const found = messagesAbout(schema);
    expect([...found].filter((message) => ZOD.test(message))).toEqual([]);
    expect(found.size).toBeGreaterThan(0);
  });

  it("covers the API's schemas", () => {
    expect(schemas.length).toBeGreaterThan(30);
  });

  it.each(schemas)("end at the first wrong element of a list: $name", ({ schema }) => {
    const elements = [5, {}, "x", { type: "file_search" }, { role: "x", content: [{}] }];
    const bodies = pathsOf(toJson(schema)).flatMap((path) =>
      elements.map((element) => bodyWith(path, Array(500).fill(element))),
    );
    const counts = bodies.map((body) => {
      const { error } = schema.safeParse(body, FIRST_ISSUE);
      return error ? messagesOf(error.issues).length : 0;
    });
    expect(Math.max(...counts)).toBeLessThan(100);
  });

  const chat = schemas.find(({ name }) => name.startsWith("POST v1/chat/completions body"))?.schema;
  const base = { model: "m", messages: [{ role: "user", content: "Hi" }] };

  it.each([
    [{ stop: Array(17).fill("x") }, "'stop' is not valid: send at most 16 values."],
    [{ stop: 5 }, "'stop' is not valid: expected text or a list, not a number."],
    [{ n: 1000 }, "'n' is not valid: expected a number of at most 128."],
    [{ n: 1.5 }, "'n' is not valid: expected a whole number."],
    [{ stream: "yes" }, "'stream' is not valid: expected true or false, not text."],
    [
      { messages: [{ role: "user", content: 5 }] },
      "'messages.0.content' is not valid: expected text, a list or null, not a number.",
    ],
    [{ model: 5 }, "'model' is not valid: expected the id of a model from GET /v1/models."],
    [
      { citations: { verify: "all" } },
      `'citations.verify' is not valid: expected "auto", "off", "rules" or "model".`,
    ],
    [
      { citations: { top_k: 51 } },
      "'citations.top_k' is not valid: expected a whole number from 1 to 50.",
    ],
  ])("name the field and its limit: %j", (fields, message) => {
    const { error } = chat?.safeParse({ ...base, ...fields }, FIRST_ISSUE) ?? {};
    expect(toAppError(error).message).toBe(`${message} Correct it and send the request again.`);
  });
});
