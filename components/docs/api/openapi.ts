import "server-only";

import { readRepositoryFile } from "../source";
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

interface Described {
  summary: string;
  "x-scope": string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

export interface Operation extends Described {
  /** Anchor on the page, such as `get-v1-kb-jobs-job_id`. */
  anchor: string;
  method: string;
  path: string;
}

interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: { Error: JsonSchema } };
}

export async function readApi(): Promise<ApiDocument> {
  return JSON.parse(await readRepositoryFile("public/openapi.json"));
}

const GROUPS: Record<string, string> = {
  chat: "Chat completions",
  responses: "Responses",
  citations: "Verification",
  embeddings: "Embeddings",
  presets: "Presets",
  models: "Models",
  kb: "Knowledge bases",
  billing: "Billing",
};

/** Operations grouped by topic, most used first. An unknown topic gets its own group. */
export function groupOperations({ paths }: ApiDocument): { name: string; all: Operation[] }[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const anchor = `${method}${path.replaceAll(/[^\w]+/g, "-")}`.replace(/-$/, "");
      return { ...described, anchor, method, path };
    }),
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
