import "server-only";

import { readFileSync } from "node:fs";
import path from "node:path";
import { RESOURCES } from "@/lib/platform/http/resources";
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
  operationId: string;
  tags: [string];
  summary: string;
  "x-scope": string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
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
  components: { schemas: { ErrorResponse: JsonSchema } };
}

/**
 * The OpenAPI document with its references resolved. Synchronous, because the list of pages is made when it is first
 * imported.
 */
export function readApi(): ApiDocument {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "public/openapi.json");
  const document = JSON.parse(readFileSync(file, "utf8"));
  return resolve(document, document.components.schemas) as ApiDocument;
}

const REFERENCE = "#/components/schemas/";

/** With references replaced by their schemas, except within themselves: filters can have filters. */
function resolve(
  value: unknown,
  schemas: Record<string, unknown>,
  within: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => resolve(each, schemas, within));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const { $ref: reference, ...own } = value as { $ref?: unknown };
  const name = typeof reference === "string" ? reference.slice(REFERENCE.length) : "";
  const named =
    name === "" || within.includes(name)
      ? {}
      : (resolve(schemas[name], schemas, [...within, name]) as object);
  const entries = Object.entries(own).map(([key, each]) => [key, resolve(each, schemas, within)]);
  return { ...named, ...Object.fromEntries(entries) };
}

export function readResources(): Resource[] {
  return groupOperations(readApi());
}

/** Operations by resource, in the order of RESOURCES. */
export function groupOperations({ paths }: Pick<ApiDocument, "paths">): Resource[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const anchor = `${method}${path.replaceAll(/[^\w]+/g, "-")}`.replace(/-$/, "");
      return { ...described, anchor, method, path };
    }),
  );
  const groups = Map.groupBy(all, ({ tags: [name] }) => name);
  const slugs = new Map(RESOURCES.map(({ name, slug }) => [name, slug]));
  return [...slugs].flatMap(([name, slug]) => {
    const found = groups.get(name);
    return found ? [{ slug, name, operations: found.toSorted(shortPathsFirst) }] : [];
  });
}

const METHODS = ["post", "get", "patch", "delete"];

function shortPathsFirst(a: Operation, b: Operation): number {
  return (
    a.path.split("/").length - b.path.split("/").length ||
    a.path.localeCompare(b.path, "en") ||
    METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  );
}
