import * as z from "zod";
import { ERROR_KINDS } from "@/lib/errors";
import type { RouteFacts } from "./route";

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

/** Builds the OpenAPI 3.1 document of the public API from its routes. */
export function describeApi(operations: readonly Operation[]): object {
  const described = operations
    .filter(({ facts }) => facts.summary)
    .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, "en"));
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, facts } of described) {
    const operation = { operationId: idOf(method, path), ...describeOperation(facts) };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
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
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(ErrorObject, "output") },
    },
  };
}

/** Such as `postChatCompletions` or `getKbJobsByJobId`: a name for the function of a generated client. */
function idOf(method: string, path: string): string {
  const words = path.replace(/^\/v1/, "").replaceAll("{", "by/").split(/\W+|_/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return method.toLowerCase() + name;
}

function describeOperation(facts: RouteFacts): object {
  return {
    summary: facts.summary,
    "x-scope": facts.gate.scope,
    parameters: [
      ...parametersOf(facts.params, "path"),
      ...parametersOf(facts.query, "query"),
      ...parametersOf(facts.headers, "header"),
    ],
    ...(facts.body && {
      requestBody: { required: true, content: contentOf(facts.body, facts.accepts) },
    }),
    responses: {
      [String(facts.status ?? 200)]: {
        description: "Success.",
        content: {
          ...answerOf(facts),
          ...(facts.events && {
            "text/event-stream": { schema: schemaOf(facts.events, "output") },
          }),
        },
      },
      ...errorResponses(),
    },
  };
}

/** JSON, or a file if the route names another type without a schema. */
function answerOf({ answer, answerType }: RouteFacts): Record<string, object> {
  const file = answerType ? { type: "string", format: "binary" } : {};
  return {
    [answerType ?? "application/json"]: { schema: answer ? schemaOf(answer, "output") : file },
  };
}

function parametersOf(shape: z.ZodType | undefined, place: "path" | "query" | "header"): object[] {
  const schema = shape ? (schemaOf(shape, "input") as ObjectSchema) : {};
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || (schema.required?.includes(name) ?? false),
    // How stock clients encode an object: `metadata[ward]=7`.
    ...(property.type === "object" && { style: "deepObject", explode: true }),
    schema: place === "path" ? { type: "string", description: property.description } : property,
  }));
}

interface ObjectSchema {
  properties?: Record<string, { type?: unknown; description?: string }>;
  required?: string[];
}

function contentOf(body: z.ZodType, accepts: readonly string[] = ["application/json"]): object {
  return Object.fromEntries(accepts.map((type) => [type, { schema: bodySchema(body, type) }]));
}

/** A form upload has `file`, a JSON one has `text`. */
function bodySchema(body: z.ZodType, mediaType: string): object {
  const schema = schemaOf(body, "input") as ObjectSchema;
  const { file, ...properties } = schema.properties ?? {};
  if (!file) {
    return schema;
  }
  const isForm = mediaType === "multipart/form-data";
  const content = isForm
    ? { file: { type: "string", format: "binary" } }
    : { text: { type: "string" } };
  return {
    ...schema,
    properties: { ...properties, ...content },
    required: schema.required?.map((name) => (name === "file" && !isForm ? "text" : name)),
  };
}

function errorResponses(): Record<string, object> {
  const statuses = [...new Set(Object.values(ERROR_KINDS).map(({ status }) => status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: STATUS_TEXT[status] ?? "",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

function schemaOf(shape: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" });
  return schema;
}
