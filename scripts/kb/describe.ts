import { isUtf8 } from "node:buffer";
import * as z from "zod";
import type { PublicDocument } from "@/lib/library/documents/identity";
import { UploadDocument } from "@/lib/library/documents/schema";
import { splitFrontMatter } from "@/lib/text/front-matter";

/** A document with its place in the source, or why it could not be read. */
export type Item = { where: string; document: PublicDocument } | { where: string; fault: string };

export const UNDESCRIBED: Omit<PublicDocument, "bytes"> = {
  key: null,
  path: null,
  name: null,
  title: null,
  sourceType: "document",
  url: null,
  publishedAt: null,
  metadata: {},
  mediaType: null,
};

const { title, source_type, url, published_at, metadata } = UploadDocument.shape;
const key = z.union([z.string().min(1).max(500), z.number()]).transform(String);

/** Datasets write unknown values in three ways. */
function orNull(value: unknown): unknown {
  return value === "" || value === undefined ? null : value;
}

/** A document's description from front matter or a line of JSON. Unknown members become its metadata. */
const Description = z
  .looseObject({
    id: key.nullish(),
    title: z.preprocess(orNull, title.nullable()),
    source_type: z.preprocess(orNull, source_type.nullable()),
    url: z.preprocess(orNull, url.nullable()),
    published_at: z.preprocess(
      (value) => (value instanceof Date ? value.toISOString() : orNull(value)),
      published_at.nullable(),
    ),
  })
  .transform((said, context) => {
    const { id, title, source_type, url, published_at, ...rest } = said;
    const own = { ...(id != null && { id }), ...JSON.parse(JSON.stringify(rest)) };
    const checked = metadata.safeParse(own);
    if (!checked.success) {
      context.addIssue({ code: "custom", message: sentence(checked.error) });
    }
    return {
      key: id ?? null,
      ...(title && { title }),
      ...(source_type && { sourceType: source_type }),
      url: url ?? null,
      publishedAt: published_at ? new Date(published_at) : null,
      metadata: own as Record<string, unknown>,
    };
  });

const LineText = z.looseObject({
  text: z.string().refine((text) => text.trim() !== "", "expected a non-empty text"),
});

/** Parses a line: `{id, title, text, url?, source_type?, published_at?}` and metadata. */
export function fromLine(line: string, where: string): Item {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (thrown) {
    return { where, fault: `The line is not valid JSON: ${(thrown as Error).message}` };
  }
  const body = LineText.safeParse(parsed);
  if (!body.success) {
    return { where, fault: sentence(body.error) };
  }
  const { text, ...said } = body.data;
  const document = {
    ...UNDESCRIBED,
    mediaType: /^#{1,6} \S/m.test(text) ? "text/markdown" : "text/plain",
    bytes: Buffer.from(text.replaceAll("\0", "").toWellFormed()),
  };
  return described(document, said, where);
}

/** Parses Markdown with front matter. */
export function fromMarkdown(file: PublicDocument, where: string): Item {
  const markdown = { ...file, mediaType: "text/markdown" };
  const text = decode(file.bytes);
  if (text === null) {
    return { where, document: markdown };
  }
  try {
    const { data, content } = splitFrontMatter(text);
    const bytes = content === text ? file.bytes : Buffer.from(content);
    return described({ ...markdown, bytes }, data, where);
  } catch (thrown) {
    return { where: `${where}:1`, fault: `Could not read the front matter: ${firstLine(thrown)}` };
  }
}

/** Null unless the text is UTF-8. The parser detects other encodings. */
function decode(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes).replaceAll("\r\n", "\n") : null;
}

function described(document: PublicDocument, said: unknown, where: string): Item {
  const description = Description.safeParse(said);
  return description.success
    ? { where, document: { ...document, ...description.data } }
    : { where, fault: sentence(description.error) };
}

function sentence(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
    .join("; ");
}

function firstLine(thrown: unknown): string {
  return String((thrown as Error).message).split("\n")[0] ?? "";
}
