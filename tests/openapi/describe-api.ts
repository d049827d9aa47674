import * as z from "zod";
import { ERROR_KINDS } from "@/lib/errors";
import { type ApiResource, RESOURCES } from "@/lib/platform/http/resources";
import type { RouteFacts } from "@/lib/platform/http/route";
import { type Components, createComponents, inlineSchema, type JsonSchema } from "./components";

/** One method of one path, with its route's own description. */
export interface Operation {
  /** In OpenAPI's form, such as `/v1/kb/jobs/{job_id}`. */
  path: string;
  method: string;
  facts: RouteFacts;
}

const STATUS_TEXT: Record<number, string> = {
  400: "The request is invalid.",
  401: "No bearer key was sent.",
  402: "The balance or the key's budget does not cover the request.",
  403: "The key is invalid, revoked or expired, or lacks a scope.",
  404: "Not found for this key.",
  405: "The path doesn't support this method.",
  409: "The request conflicts with the current state, or with an earlier request.",
  413: "The body is too large.",
  415: "The path doesn't accept this media type.",
  429: "A rate limit was reached.",
  500: "The server had an error.",
  502: "The model failed.",
  503: "Retrieval is required but unavailable, or the service is temporarily unavailable.",
  504: "The model didn't answer in time.",
};

const ErrorObject = z.object({
  error: z.looseObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.enum(Object.keys(ERROR_KINDS)),
  }),
});

/**
 * Builds the OpenAPI 3.1 document of the public API from its routes. `exported` has the schemas by the names that
 * they are exported with, which name the components.
 */
export function describeApi(
  operations: readonly Operation[],
  exported: ReadonlyMap<z.ZodType, string>,
): object {
  const described = operations
    .filter(({ facts }) => facts.summary)
    .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, "en"));
  const components = createComponents(withBodies(described, exported));
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of described) {
    const { path, method } = operation;
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeOperation(operation, components),
    };
  }
  const named = new Set(described.map(({ path }) => resourceOf(path)));
  const { document, schemas } = components.finish(paths);
  return {
    openapi: "3.1.0",
    info: {
      title: "Footnote",
      version: "1",
      license: { name: "MIT", identifier: "MIT" },
      description: "Chat completions with cited retrieval, for stock OpenAI clients.",
    },
    servers: [{ url: "/", description: "The server that this document is from." }],
    security: [{ key: [] }],
    tags: RESOURCES.filter((resource) => named.has(resource)).map(({ name, description }) => ({
      name,
      description,
    })),
    paths: document,
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } }, schemas },
  };
}

/** Bodies without a name of their own are named after their operation. */
function withBodies(
  operations: readonly Operation[],
  exported: ReadonlyMap<z.ZodType, string>,
): ReadonlyMap<z.ZodType, string> {
  const names = new Map([...exported, [ErrorObject, "ErrorResponse"]] as [z.ZodType, string][]);
  for (const { facts } of operations) {
    const { body, answer, events, operationId = "" } = facts;
    const id = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    for (const [shape, suffix] of [
      [body, "Body"],
      [answer, "Result"],
      [events, "Event"],
    ] as const) {
      if (shape && !names.has(shape)) {
        names.set(shape, id + suffix);
      }
    }
  }
  for (const [shape, name] of [...names]) {
    for (const [member, value] of membersOf(shape)) {
      names.set(member, names.get(member) ?? name + toPascalCase(value));
    }
  }
  return names;
}

/** The objects of a union, each with what tells it from the others. */
function membersOf(shape: z.ZodType): [z.ZodType, string][] {
  const union = shape instanceof z.ZodPipe ? shape.out : shape;
  if (!(union instanceof z.ZodDiscriminatedUnion)) {
    return union instanceof z.ZodUnion
      ? union.options.flatMap((each) => membersOf(each as z.ZodType))
      : [];
  }
  return union.options.flatMap((member) => {
    const kind = member instanceof z.ZodObject && member.shape[union.def.discriminator];
    const [value] = kind instanceof z.ZodLiteral ? kind.values : (kind?.options ?? []);
    return value === undefined ? [] : [[member as z.ZodType, String(value)]];
  });
}

function toPascalCase(text: string): string {
  return text.replaceAll(/(?:^|\W|_)+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describeOperation({ path, facts }: Operation, components: Components): object {
  return {
    operationId: facts.operationId,
    tags: [resourceOf(path).name],
    summary: facts.summary,
    "x-scope": facts.gate.scope,
    parameters: [
      ...parametersOf(facts.params, "path"),
      ...parametersOf(facts.query, "query"),
      ...parametersOf(facts.headers, "header"),
    ],
    ...(facts.body && {
      requestBody: {
        required: true,
        content: {
          [facts.accepts ?? "application/json"]: { schema: components.refTo(facts.body, "input") },
        },
      },
    }),
    responses: {
      [String(facts.status ?? 200)]: {
        description: "Success.",
        content: {
          ...answerOf(facts, components),
          ...(facts.events && {
            "text/event-stream": { schema: components.refTo(facts.events, "output") },
          }),
        },
      },
      ...errorResponses(components),
    },
  };
}

/** JSON, or a file if the route names another type without a schema. */
function answerOf(
  { answer, answerType }: RouteFacts,
  components: Components,
): Record<string, object> {
  const file = answerType ? { type: "string", format: "binary" } : {};
  return {
    [answerType ?? "application/json"]: {
      schema: answer ? components.refTo(answer, "output") : file,
    },
  };
}

function parametersOf(shape: z.ZodType | undefined, place: "path" | "query" | "header"): object[] {
  const schema = (shape ? inlineSchema(shape, "input") : {}) as ObjectSchema;
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !name.endsWith("[]"))
    .map(([name, property]) => ({
      name,
      in: place,
      required: place === "path" || (schema.required?.includes(name) ?? false),
      // How stock clients encode an object: `metadata[ward]=7`.
      ...(property.type === "object" && { style: "deepObject", explode: true }),
      schema: place === "path" ? ofPath(property) : property,
    }));
}

/** A path with a longer name is a 404, not an error of the request. */
function ofPath({ description, pattern }: JsonSchema): JsonSchema {
  return { type: "string", description, ...(pattern !== undefined && { pattern }) };
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

function errorResponses(components: Components): Record<string, object> {
  const statuses = [...new Set(Object.values(ERROR_KINDS).map(({ status }) => status))].sort();
  const schema = components.refTo(ErrorObject, "output");
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: STATUS_TEXT[status] ?? "",
        content: { "application/json": { schema } },
      },
    ]),
  );
}

/** The resource of a path. Throws for a path of none. */
function resourceOf(path: string): ApiResource {
  const [longest] = RESOURCES.filter(({ prefix }) => `${path}/`.startsWith(`${prefix}/`)).toSorted(
    (a, b) => b.prefix.length - a.prefix.length,
  );
  if (!longest) {
    throw new Error(`${path} has no resource`);
  }
  return longest;
}
