import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import matter from "gray-matter";
import * as z from "zod";
import { importArticle } from "@/lib/documents/write/import";

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
  let added = 0;
  for (const [index, name] of files.entries()) {
    const { data, content } = matter(await readFile(path.join(folder, name), "utf8"));
    const { title, source_type, url, published_at } = FrontMatter.parse(data);
    const isNew = await importArticle({
      title,
      sourceType: source_type,
      url,
      publishedAt: published_at,
      markdown: content,
    });
    added += Number(isNew);
    onProgress(index + 1, files.length);
  }
  return added;
}
