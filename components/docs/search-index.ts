import "server-only";

import { stemmer } from "@orama/stemmers/english";
import { stopwords } from "@orama/stopwords/english";
import { type StructuredData, structure } from "fumadocs-core/mdx-plugins";
import { type AdvancedIndex, initAdvancedSearch } from "fumadocs-core/search/server";
import type { Nodes, Root } from "mdast";
import { formatLimit, type JsonSchema } from "./api/json-schema";
import { type Operation, type Resource, readResources } from "./api/openapi";
import { addressOf, type DocPage, MARKDOWN_PAGES } from "./pages";
import type { DocHit } from "./search-schema";
import { readRepositoryFile } from "./source";

const MAX_HITS = 8;
const MAX_HITS_PER_PAGE = 3;
const EXCERPT_LETTERS = 140;
const MAX_FIELD_DEPTH = 3;
const CONTENT_TYPES = ["heading", "paragraph", "blockquote", "tableRow", "code"];
/** So that "deleting" finds "delete", and "how do I" finds nothing by itself. */
const TOKENIZER = { language: "english", stemmer, stopWords: stopwords };

/** More than are shown: they are ranked again by how many of the words they have. */
const CANDIDATES = { limit: 200, groupBy: { properties: ["page_id" as const], maxResult: 20 } };

interface Index {
  search: ReturnType<typeof initAdvancedSearch>["search"];
  /** Headings by the address of their section. */
  sections: Map<string, string>;
}

let index: Promise<Index> | null = null;

/** Finds pages, headings, operations, fields and error codes by the words in them. */
export async function searchDocs(query: string): Promise<DocHit[]> {
  index ??= buildIndex();
  const { search, sections } = await index;
  const results = await search(query);
  const pages = new Map(
    results.filter(({ type }) => type === "page").map(({ url, content }) => [url, content]),
  );
  const words = wordsOf(query);
  const ranked = results
    .map(({ url, type, content }) => {
      const page = pages.get(url.split("#")[0] ?? "") ?? "";
      const section = sections.get(url) ?? null;
      // A page is listed above each of its hits, whether its own name matches or not.
      const names = type === "page" ? content : `${page} ${section ?? ""} ${content}`;
      const excerpt = type === "text" ? excerptOf(content, words) : null;
      const inNames = countMatches(`${page} ${section ?? ""}`, words);
      return {
        hit: { url, page, section, excerpt },
        score: 2 * countMatches(names, words) + inNames + bonusOf(type, content, words),
      };
    })
    .filter(({ score }) => score > 0)
    // Stable: equal ones stay in the order of their relevance.
    .toSorted((a, b) => b.score - a.score)
    .map(({ hit }) => hit);
  return withoutRepeats(ranked).slice(0, MAX_HITS);
}

/** The first hit of each section, and a few of each page. */
function withoutRepeats(hits: readonly DocHit[]): DocHit[] {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  return hits.filter(({ url, page }) => {
    const count = counts.get(page) ?? 0;
    const isNew = !seen.has(url) && count < MAX_HITS_PER_PAGE;
    seen.add(url);
    counts.set(page, count + (isNew ? 1 : 0));
    return isNew;
  });
}

/** A word of a query as typed, in lowercase, and its stem. */
interface Word {
  typed: string;
  stem: string;
}

/** How many of the words a text has: any form of them, or a word that begins with one. */
function countMatches(text: string, words: readonly Word[]): number {
  const lower = text.toLowerCase();
  const tokens = lower.split(/[^\p{L}\p{N}_]+/u);
  const stems = new Set(tokens.map((token) => stemmer(token)));
  return words.filter(
    ({ typed, stem }) =>
      stems.has(stem) ||
      tokens.some((token) => token.startsWith(typed)) ||
      // Such as "citations.top_k", "/v1/kb" or "keep-alive".
      (/[^\p{L}]/u.test(typed) && lower.includes(typed)),
  ).length;
}

/** A page with a word in its title comes before other pages' headings, and what describes a field before its mentions. */
function bonusOf(type: string, content: string, words: readonly Word[]): number {
  const isPage = type === "page" && countMatches(content, words) > 0;
  return (isPage ? 1 : 0) + (defines(content, words) ? 2 : 0);
}

/** Whether a text begins with the name of a field that the words give, as the row that describes it does. */
function defines(text: string, words: readonly Word[]): boolean {
  const name = /^[\w.[\]]+/.exec(text)?.[0].toLowerCase() ?? "";
  return words.some(
    ({ typed }) => /[_.]/.test(typed) && (name === typed || name.endsWith(`.${typed}`)),
  );
}

async function buildIndex(): Promise<Index> {
  const pages = await Promise.all(MARKDOWN_PAGES.map(indexPage));
  const indexes = [...pages, ...readResources().map(indexResource)];
  const sections = indexes.flatMap(({ url, structuredData }) =>
    structuredData.headings.map(({ id, content }) => [`${url}#${id}`, content] as const),
  );
  return {
    search: initAdvancedSearch({ indexes, tokenizer: TOKENIZER, search: CANDIDATES }).search,
    sections: new Map(sections),
  };
}

async function indexPage(page: DocPage): Promise<AdvancedIndex> {
  const url = addressOf(page);
  // Without the title, which is the page itself.
  const text = (await readRepositoryFile(page.file)).replace(/^# .*$/m, "");
  const structuredData = structure(text, [joinCells], { types: CONTENT_TYPES });
  return { id: url, title: page.label, url, structuredData };
}

/** A row of a table is found and shown as a whole. */
function joinCells() {
  return (tree: Root) => {
    for (const row of tree.children.flatMap((node) =>
      node.type === "table" ? node.children : [],
    )) {
      row.data = { _string: [row.children.map(textOf).join(" · ")] };
    }
  };
}

function textOf(node: Nodes): string {
  return "value" in node
    ? node.value
    : "children" in node
      ? node.children.map(textOf).join("")
      : "";
}

function indexResource({ slug, name, operations }: Resource): AdvancedIndex {
  const url = `/docs/api/${slug}`;
  return { id: url, title: `${name} API`, url, structuredData: structureOf(operations) };
}

function structureOf(operations: readonly Operation[]): StructuredData {
  return {
    headings: operations.map(({ anchor, method, path }) => ({
      id: anchor,
      content: `${method.toUpperCase()} ${path}`,
    })),
    contents: operations.flatMap(({ anchor, summary, parameters, requestBody, responses }) => {
      const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}).map(({ schema }) => schema ?? {}),
      );
      const texts = [
        summary,
        ...parameters.map(({ name, schema }) => describeField(name, schema)),
        ...bodies.flatMap((schema) => fieldTexts(schema, [])),
      ];
      return [...new Set(texts)].map((content) => ({ heading: anchor, content }));
    }),
  };
}

/** Each field with a description, by its dotted name. */
function fieldTexts(schema: JsonSchema, path: readonly string[]): string[] {
  const own = path.length > 0 && schema.description ? [describeField(path.join("."), schema)] : [];
  const parts = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  const inner = parts.flatMap((part) => fieldTexts({ ...part, description: "" }, path));
  const fields =
    path.length < MAX_FIELD_DEPTH
      ? Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
          fieldTexts(field, [...path, name]),
        )
      : [];
  return [...own, ...inner, ...fields];
}

function describeField(name: string, schema: JsonSchema): string {
  return `${name}: ${[schema.description, formatLimit(schema)].filter(Boolean).join(" ")}`;
}

/** The words around the first match. */
function excerptOf(content: string, words: readonly Word[]): string {
  const text = content.replaceAll(/\s+/g, " ");
  const found = words.map(({ stem }) => text.toLowerCase().indexOf(stem));
  const at = Math.min(...found.filter((position) => position >= 0), text.length);
  const start = at > EXCERPT_LETTERS / 2 && at < text.length ? at - EXCERPT_LETTERS / 3 : 0;
  const excerpt = text.slice(start, start + EXCERPT_LETTERS);
  return `${start > 0 ? "…" : ""}${excerpt}${start + EXCERPT_LETTERS < text.length ? "…" : ""}`;
}

/** The words of a query; its common words count only where there are no others. */
function wordsOf(text: string): Word[] {
  const words = text
    .toLowerCase()
    .split(/[\s,;?!"'()]+/)
    .filter(Boolean);
  const rare = words.filter((word) => !stopwords.includes(word));
  return (rare.length > 0 ? rare : words).map((typed) => ({ typed, stem: stemmer(typed) }));
}
