/** A documentation page: a Markdown file in the repository and its slug on the site. */
export interface DocPage {
  slug: string;
  /** The short name in the navigation. The page's title is its first heading. */
  label: string;
  file: string;
  /** The summary, if the first sentence doesn't work as one. */
  about?: string;
}

const page = (slug: string, label: string, other?: Pick<DocPage, "file" | "about">): DocPage => ({
  slug,
  label,
  file: `docs/${slug}.md`,
  ...other,
});

/** All pages in reading order. The API reference is generated from the OpenAPI document. */
export const DOC_GROUPS: readonly { name: string; pages: readonly DocPage[] }[] = [
  {
    name: "Start",
    pages: [
      page("quickstart", "Quickstart"),
      page("quickstart-curl", "curl"),
      page("quickstart-python", "Python"),
      page("quickstart-typescript", "TypeScript"),
      page("quickstart-go", "Go (Golang)"),
      page("clients", "Client libraries"),
    ],
  },
  {
    name: "Integrate",
    pages: [
      page("nextjs", "Next.js and the AI SDK"),
      page("langchain", "LangChain"),
      page("python-frameworks", "Python frameworks"),
      page("agents", "Agents"),
      page("codex", "Codex"),
      page("mcp", "MCP"),
      page("render-citations", "Render citations"),
    ],
  },
  {
    name: "Guides",
    pages: [
      page("citations", "Citations"),
      page("conversations", "Conversations"),
      page("presets", "Presets"),
      page("streaming", "Streaming"),
      page("responses", "Responses API"),
      page("knowledge-bases", "Knowledge bases"),
      page("filters", "Filters"),
      page("files-and-vector-stores", "Files and vector stores"),
      page("embeddings", "Embeddings"),
      page("stored-answers", "Stored answers"),
      page("keys", "Keys and scopes"),
      page("billing", "Billing"),
    ],
  },
  {
    name: "Reference",
    pages: [
      page("api", "API reference", {
        file: "public/openapi.json",
        about: "Every endpoint, with its scope, parameters and schemas.",
      }),
      page("errors", "Errors"),
      page("limits", "Limits"),
      page("retries", "Rate limits and retries"),
      page("idempotency", "Idempotency"),
      page("pagination", "Pagination"),
    ],
  },
  {
    name: "Migrate",
    pages: [
      page("migrate-assistants", "Assistants file search"),
      page("migrate-sonar", "Perplexity Sonar"),
      page("migrate-azure", "Azure On Your Data"),
    ],
  },
  {
    name: "Operate",
    pages: [
      page("self-hosting", "Self-hosting"),
      page("local-models", "Local models"),
      page("production-checklist", "Production checklist"),
      page("security", "Security"),
      page("observability", "Observability"),
      page("evaluation", "Evaluation"),
      page("scaling", "Scaling"),
      page("benchmarks", "Measurements", {
        file: "e2e/bench/README.md",
        about: "What we measure, how, and against which goal.",
      }),
      page("red-team", "Red team", {
        file: "e2e/red-team/README.md",
        about:
          "Hostile documents that every test run sends through the product, and what it reports.",
      }),
    ],
  },
];

const ALL_PAGES = DOC_GROUPS.flatMap(({ pages }) => pages);

/** The pages written in Markdown. */
export const MARKDOWN_PAGES = ALL_PAGES.filter(({ file }) => file.endsWith(".md"));

export function findMarkdownPage(slug: string): DocPage | null {
  return MARKDOWN_PAGES.find((candidate) => candidate.slug === slug) ?? null;
}

export function addressOf({ slug }: DocPage): string {
  return `/docs/${slug}`;
}

/** The site path of a repository file; null if it isn't on the site. */
export function addressOfFile(file: string): string | null {
  const found = ALL_PAGES.find((candidate) => candidate.file === file);
  return found ? addressOf(found) : null;
}
