/** Most used first. The longest prefix of a path decides. `slug` is the page of the reference. */
export const RESOURCES: readonly { prefix: string; slug: string; name: string }[] = [
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

/** The name of the resource of a path. Throws for a path of none. */
export function resourceOf(path: string): string {
  const [known] = RESOURCES.filter(({ prefix }) => `${path}/`.startsWith(`${prefix}/`)).toSorted(
    (a, b) => b.prefix.length - a.prefix.length,
  );
  if (!known) {
    throw new Error(`${path} has no resource`);
  }
  return known.name;
}
