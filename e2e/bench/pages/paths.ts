import { readFile } from "node:fs/promises";
import path from "node:path";
import type { APIRequestContext, APIResponse } from "@playwright/test";

const ROUTES = path.resolve(".next/app-path-routes-manifest.json");
const QUESTION = "What are the signs of a stroke?";
/** Rendered by a payment only. */
const NOT_OPENED = ["/billing/receipts/[reference]", "/checkout/simulated/[id]"];

/** Any path that nothing else has. */
export const NOT_FOUND = "/no-such-page";
/** The shape of a link's token; opening the page doesn't check it. */
const TOKEN = "A".repeat(43);

/** Of pages with the same template: a usual one and the longest. */
const SAMPLES = ["/docs/citations", "/docs/benchmarks", "/docs/api/embeddings", "/docs/api/chat"];

export interface PagePath {
  /** With what its link has after the path, such as a token. */
  path: string;
  isPublic: boolean;
  /** In the sitemap, for search engines. */
  isListed: boolean;
  /** Stands for the pages with its template. */
  isSample: boolean;
}

/** Paths of every page of the build, for a signed-in member. Creates a key, an invitation, a stored answer and a link to it. */
export async function pagePaths(request: APIRequestContext, origin: string): Promise<PagePath[]> {
  const manifest: Record<string, string> = JSON.parse(await readFile(ROUTES, "utf8"));
  const listed = await listedPaths(request, origin);
  const known: Record<string, string | string[]> = {
    ...(await openTargets(request, origin)),
    ...docPaths(listed),
  };
  return Object.entries(manifest)
    .filter(([file, route]) => /^\/\(.*\/page$|^\/page$/.test(file) && !NOT_OPENED.includes(route))
    .flatMap(([file, route]) => {
      const opened = known[route] ?? (route.includes("[") ? null : route);
      if (!opened) {
        throw new Error(`no path to measure ${route} by: add one in e2e/bench/pages/paths.ts`);
      }
      return [opened].flat().map((path) => ({ path, isPublic: !file.startsWith("/(console)/") }));
    })
    .concat({ path: NOT_FOUND, isPublic: true })
    .map(({ path, isPublic }) => ({
      ...{ path, isPublic, isListed: listed.includes(path) },
      isSample: SAMPLES.includes(path) || !/^\/docs\/(?!api$)/.test(path),
    }))
    .toSorted((a, b) => Number(b.isPublic) - Number(a.isPublic) || a.path.localeCompare(b.path));
}

async function listedPaths(request: APIRequestContext, origin: string): Promise<string[]> {
  const sitemap = await (await expectOk(await request.get(`${origin}/sitemap.xml`))).text();
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address]) => new URL(address ?? "").pathname,
  );
}

/** All pages of the documentation, by route. */
function docPaths(listed: readonly string[]): Record<string, string[]> {
  return {
    "/docs/[slug]": listed.filter((path) => /^\/docs\/(?!api$)[^/]+$/.test(path)),
    "/docs/api/[resource]": listed.filter((path) => /^\/docs\/api\/[^/]+$/.test(path)),
  };
}

/** Paths of the other routes with parameters. */
async function openTargets(
  request: APIRequestContext,
  origin: string,
): Promise<Record<string, string>> {
  const post = async (route: string, data: object, headers: Record<string, string> = {}) =>
    expectOk(await request.post(origin + route, { data, headers }));
  const get = async (route: string) => (await expectOk(await request.get(origin + route))).json();
  const created = await post("/api/keys", {
    ...{ name: "Pages", mode: "live", scopes: ["chat:completions", "kb:search"] },
    knowledge_scopes: ["public_kb"],
  });
  const { key, secret } = await created.json();
  const answered = await post(
    "/v1/chat/completions",
    {
      model: "footnote-extract-1",
      messages: [{ role: "user", content: QUESTION }],
      citations: { enabled: true },
      store: true,
    },
    { authorization: `Bearer ${secret}` },
  );
  const requestId = answered.headers()["x-request-id"] ?? "";
  const { choices } = await answered.json();
  const { permalink } = choices[0].message.annotations[0].url_citation.quote;
  const quoted = new URL(permalink);
  const source = quoted.pathname.split("/").at(-1);
  await post("/api/settings/sharing", { is_enabled: true });
  const { url } = await (await post("/api/shared-links", { request_id: requestId })).json();
  const invited = { email: "grace@clinic.example", role: "member" };
  const { link } = await (await post("/api/members/invitations", invited)).json();
  const documents = await get("/api/documents");
  return {
    // As links open them.
    "/join": `/join${new URL(link).hash}`,
    "/reset-password": `/reset-password#${TOKEN}`,
    "/confirm-email": `/confirm-email#${TOKEN}`,
    // With a quote, to which the browser scrolls.
    "/sources/[id]": `/sources/${source}${quoted.search}`,
    "/s/[token]": new URL(url).pathname,
    "/settings/[[...section]]": "/settings",
    "/keys/[id]": `/keys/${key.id}`,
    "/usage/[id]": `/usage/${requestId}`,
    "/documents/[id]": `/documents/${documents.data[0].id}`,
  };
}

async function expectOk(response: APIResponse): Promise<APIResponse> {
  if (!response.ok()) {
    throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`);
  }
  return response;
}
