import { readFileSync } from "node:fs";
import path from "node:path";

interface Description {
  paths: Record<string, Record<string, { "x-scope": string }>>;
}

const description: Description = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "../../public/openapi.json"), "utf8"),
);

const sources = import.meta.glob<string>("../../app/**/route.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The public API's operations in openapi.json, such as `GET /v1/models`, with their scopes. */
export const operations: Record<string, string> = Object.fromEntries(
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, facts]) => [
      `${method.toUpperCase()} ${path}`,
      facts["x-scope"],
    ]),
  ),
);

/** Every method of every route file that does more than respond with 405, in the same format. */
export const endpoints: string[] = Object.entries(sources).flatMap(([file, text]) => {
  const path = file
    .replace(/^(\.\.\/)+app|\/route\.ts$/g, "")
    .replaceAll(/\/\([^)]+\)/g, "")
    .replaceAll(/\[+(?:\.\.\.)?(\w+)\]+/g, "{$1}");
  // A file that defines no route itself re-exports next-auth's handlers.
  const made =
    /^export const (?:([A-Z]+) = (?:route|memberRoute|keyRoute)|\{[^}]+\} = (?:only|member|key)(\w+))\(/gm;
  const methods = [...text.matchAll(made)].map(([, one, only]) => one ?? only?.toUpperCase());
  const isForeign = /^export \{/m.test(text);
  return isForeign ? [`ANY ${path}`] : methods.map((method) => `${method} ${path}`);
});

/** The method and path of an endpoint, with an id in place of its parameter, or ids of two, with a bar between them. */
export function fill(endpoint: string, id: string): { method: string; path: string } {
  const [method = "", path = ""] = endpoint.split(" ");
  const ids = id.split("|").map(encodeURIComponent);
  const named = path.replace("{page}", "1.png");
  return { method, path: named.replaceAll(/\{\w+\}/g, () => ids.shift() ?? "") };
}

export function hasParameter(endpoint: string): boolean {
  return endpoint.includes("{");
}
