import "server-only";

import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonSchema } from "./json-schema";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
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

/** The operations on one page of the reference. */
export interface Resource {
  slug: string;
  name: string;
  operations: Operation[];
}

export interface ApiDocument {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: { Error: JsonSchema } };
}

/** The OpenAPI document. Synchronous, because the list of pages is made when it is first imported. */
export function readApi(): ApiDocument {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "public/openapi.json");
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Most used first. The longest prefix of a path decides. */
const RESOURCES: readonly { prefix: string; slug: string; name: string }[] = [
  { prefix: "/v1/chat", slug: "chat", name: "Chat completions" },
  { prefix: "/v1/responses", slug: "responses", name: "Responses" },
  { prefix: "/v1/citations", slug: "verify", name: "Verification" },
  { prefix: "/v1/kb/search", slug: "search", name: "Search" },
  { prefix: "/v1/kb/documents", slug: "documents", name: "Documents" },
  { prefix: "/v1/uploads", slug: "uploads", name: "Uploads" },
  { prefix: "/v1/kb/uploads", slug: "uploads", name: "Uploads" },
  { prefix: "/v1/kb/jobs", slug: "jobs", name: "Jobs" },
  { prefix: "/v1/embeddings", slug: "embeddings", name: "Embeddings" },
  { prefix: "/v1/models", slug: "models", name: "Models" },
  { prefix: "/v1/presets", slug: "presets", name: "Presets" },
  { prefix: "/v1/billing", slug: "billing", name: "Billing" },
  { prefix: "/v1/billing/usage", slug: "usage", name: "Usage" },
];

export function readResources(): Resource[] {
  return groupOperations(readApi());
}

/** Operations by resource. An unknown topic gets its own resource. */
export function groupOperations({ paths }: Pick<ApiDocument, "paths">): Resource[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const anchor = `${method}${path.replaceAll(/[^\w]+/g, "-")}`.replace(/-$/, "");
      return { ...described, anchor, method, path };
    }),
  );
  const groups = Map.groupBy(all, ({ path }) => slugOf(path));
  const slugs = new Set([...RESOURCES.map(({ slug }) => slug), ...groups.keys()]);
  return [...slugs].flatMap((slug) => {
    const found = groups.get(slug);
    const name = RESOURCES.find((resource) => resource.slug === slug)?.name ?? slug;
    return found ? [{ slug, name, operations: found.toSorted(shortPathsFirst) }] : [];
  });
}

function slugOf(path: string): string {
  const [known] = RESOURCES.filter(({ prefix }) => `${path}/`.startsWith(`${prefix}/`)).toSorted(
    (a, b) => b.prefix.length - a.prefix.length,
  );
  return known?.slug ?? path.split("/")[2] ?? "";
}

const METHODS = ["post", "get", "patch", "delete"];

function shortPathsFirst(a: Operation, b: Operation): number {
  return (
    a.path.split("/").length - b.path.split("/").length ||
    a.path.localeCompare(b.path, "en") ||
    METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  );
}
