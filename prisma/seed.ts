import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import type { PublicDocument } from "@/lib/library/documents/identity";
import { closeParserPool } from "@/lib/library/documents/processes/parser-pool";
import { importDocuments } from "@/lib/library/documents/write/import";
import { splitFrontMatter } from "@/lib/text/front-matter";

const FrontMatter = z.object({
  title: z.string(),
  source_type: z.enum(["condition", "medicine", "test", "emergency"]),
  url: z.url(),
  published_at: z.date(),
});

/** Loads the public sample under prisma/knowledge; what is there already stays. Returns how many were added. */
export async function loadPublicSample(
  onProgress: (done: number, total: number) => void,
): Promise<number> {
  const folder = path.resolve("prisma/knowledge");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  const articles = await Promise.all(files.map((name) => readArticle(folder, name)));
  const { signal } = new AbortController();
  const outcomes = await importDocuments(articles, { seen: new Map(), signal });
  await closeParserPool();
  const failed = outcomes.findIndex(({ state }) => state === "failed");
  if (failed !== -1) {
    throw new Error(`${files[failed]} could not be read`);
  }
  onProgress(files.length, files.length);
  return outcomes.filter(({ state }) => state !== "unchanged").length;
}

async function readArticle(folder: string, name: string): Promise<PublicDocument> {
  const { data, content } = splitFrontMatter(await readFile(path.join(folder, name), "utf8"));
  const { title, source_type, url, published_at } = FrontMatter.parse(data);
  return {
    key: null,
    path: name,
    name,
    title,
    sourceType: source_type,
    url,
    publishedAt: published_at,
    metadata: {},
    mediaType: "text/markdown",
    bytes: Buffer.from(content),
  };
}
