import "server-only";

import { readRepositoryFile } from "../source";
import { anchorOf } from "./anchor";
import type { JsonSchema } from "./json-schema";

interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: JsonSchema;
}

interface Content {
  [mediaType: string]: { schema?: JsonSchema };
}

export interface Operation {
  /** Anchor on the page. */
  anchor: string;
  method: string;
  path: string;
  summary: string;
  scope: string;
  parameters: Parameter[];
  request: Content | null;
  answer: { status: string; schema: JsonSchema | null };
}

interface Described {
  summary: string;
  "x-scope": string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: { Error: JsonSchema } };
}

/** The generated OpenAPI document. */
export async function readApi(): Promise<ApiDocument> {
  return JSON.parse(await readRepositoryFile("public/openapi.json"));
}

const GROUPS: Record<string, string> = {
  chat: "Chat completions",
  models: "Models",
  kb: "Knowledge bases",
  billing: "Billing",
};

/** Operations grouped by topic, most used first. An unknown topic gets its own group. */
export function groupOperations({ paths }: ApiDocument): { name: string; all: Operation[] }[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toOperation(path, method, described)),
  );
  const groups = Map.groupBy(all, ({ path }) => path.split("/")[2] ?? "");
  const order = [...new Set([...Object.keys(GROUPS), ...groups.keys()])];
  return order.flatMap((key) => {
    const found = groups.get(key);
    return found ? [{ name: GROUPS[key] ?? key, all: found.toSorted(shortPathsFirst) }] : [];
  });
}

const METHODS = ["post", "get", "delete"];

function shortPathsFirst(a: Operation, b: Operation): number {
  return (
    a.path.split("/").length - b.path.split("/").length ||
    a.path.localeCompare(b.path, "en") ||
    METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  );
}

function toOperation(path: string, method: string, described: Described): Operation {
  const [status = "200", success] =
    Object.entries(described.responses).find(([code]) => code.startsWith("2")) ?? [];
  return {
    anchor: anchorOf(method, path),
    method,
    path,
    summary: described.summary,
    scope: described["x-scope"],
    parameters: described.parameters,
    request: described.requestBody?.content ?? null,
    answer: { status, schema: success?.content?.["application/json"]?.schema ?? null },
  };
}
