export interface ApiResource {
  /** Its page of the reference. */
  slug: string;
  name: string;
  description: string;
  /** The longest prefix of a path decides. */
  prefix: string;
}

/** Most used first. */
export const RESOURCES: readonly ApiResource[] = [
  {
    slug: "chat",
    name: "Chat completions",
    description: "Answers with numbered sources, plain or streamed, and stored answers.",
    prefix: "/v1/chat",
  },
  {
    slug: "responses",
    name: "Responses",
    description: "OpenAI's Responses API, with file_search as cited retrieval.",
    prefix: "/v1/responses",
  },
  {
    slug: "verify",
    name: "Verification",
    description: "Verdicts on the citations of any text.",
    prefix: "/v1/citations",
  },
  {
    slug: "search",
    name: "Search",
    description: "Passages of the knowledge bases.",
    prefix: "/v1/kb/search",
  },
  {
    slug: "documents",
    name: "Documents",
    description: "Documents of the account or of one person.",
    prefix: "/v1/kb/documents",
  },
  {
    slug: "files",
    name: "Files",
    description: "Documents as OpenAI's files.",
    prefix: "/v1/files",
  },
  {
    slug: "vector-stores",
    name: "Vector stores",
    description: "Knowledge bases and sets of their documents, in OpenAI's shapes.",
    prefix: "/v1/vector_stores",
  },
  {
    slug: "uploads",
    name: "Uploads",
    description: "Large files in parts.",
    prefix: "/v1/uploads",
  },
  {
    slug: "jobs",
    name: "Jobs",
    description: "The processing of documents.",
    prefix: "/v1/kb/jobs",
  },
  {
    slug: "embeddings",
    name: "Embeddings",
    description: "Vectors of texts.",
    prefix: "/v1/embeddings",
  },
  {
    slug: "models",
    name: "Models",
    description: "What the key can call.",
    prefix: "/v1/models",
  },
  {
    slug: "presets",
    name: "Presets",
    description: "Models with citations defaults.",
    prefix: "/v1/presets",
  },
  {
    slug: "keys",
    name: "Keys",
    description: "API keys that the key created.",
    prefix: "/v1/keys",
  },
  {
    slug: "billing",
    name: "Billing",
    description: "Balance, prices, checkout and ledger.",
    prefix: "/v1/billing",
  },
  {
    slug: "usage",
    name: "Usage",
    description: "Usage and cost by day, model, key and kind.",
    prefix: "/v1/billing/usage",
  },
];
