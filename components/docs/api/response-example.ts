import { branchesOf, type JsonSchema } from "./json-schema";
import type { Operation } from "./openapi";
import responses from "./responses.json" with { type: "json" };

/** Responses of the product that show what its fields are for, by method and path. */
export const RESPONSES: Readonly<Record<string, object>> = responses;

/** By the end of a field's name. */
const STRINGS: readonly [RegExp, string][] = [
  [/_at$/, "2026-11-28T09:30:00Z"],
  [/_usd$/, "0.000030"],
  [/^model$/, "footnote-extract-1"],
  [/url$/, "https://example.org"],
];

/** The operation's JSON when it succeeds; null if it answers with something else. */
export function responseSample({ method, path, responses }: Operation): string | null {
  const known = RESPONSES[`${method} ${path}`];
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const schema = success?.content?.["application/json"]?.schema;
  const body = known ?? (schema && exampleOf(schema));
  return body ? JSON.stringify(body, null, 2) : null;
}

/** A value that a schema describes: the first of what is allowed, with the fields that are always there. */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
  const [branch = {}] = branchesOf(schema);
  const { const: only, enum: values, items, properties = {}, required = [] } = branch;
  if (only !== undefined || values) {
    return only ?? values?.[0];
  }
  switch ([branch.type].flat()[0]) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([field]) => required.includes(field))
          .map(([field, described]) => [field, exampleOf(described, field)]),
      );
    case "array":
      return items ? [exampleOf(items)] : [];
    case "integer":
    case "number":
      return Math.max(branch.minimum ?? 0, Math.min(branch.maximum ?? 1, 1));
    case "boolean":
      return true;
    case "string":
      return STRINGS.find(([end]) => end.test(name))?.[1] ?? "string";
    default:
      return {};
  }
}
