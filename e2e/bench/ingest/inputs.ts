import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { docx, drawLines, pdf, pptx, wordParagraph, xlsx } from "@/lib/testing/document-files";

export interface InputFile {
  name: string;
  mediaType: string | null;
  bytes: Uint8Array;
  /** Pages, slides or sheets if the format has them; otherwise one per PAGE_CHARACTERS. */
  pages: number;
}

interface Article {
  title: string;
  text: string;
  topic: string;
}

/** The size of a page in formats without pages. */
const PAGE_CHARACTERS = 2000;
const ARTICLES_PER_FILE = 12;
const LINE_CHARACTERS = 92;
const LINES_PER_PAGE = 44;

/** MedQuAD's file; null without the public data. */
export function corpusFile(): string | null {
  const folder = process.env.FOOTNOTE_DATA || path.resolve("../shared/data");
  const file = path.join(folder, "medquad/corpus.jsonl.gz");
  return existsSync(file) ? file : null;
}

/** Files with the same articles in each format (or these formats), laid out as common programs do. */
export async function makeInputs(
  count: number,
  formats?: readonly string[],
): Promise<Map<string, InputFile[]>> {
  const articles = readArticles(count * ARTICLES_PER_FILE);
  const groups = Array.from({ length: count }, (_, at) =>
    articles.slice(at * ARTICLES_PER_FILE, (at + 1) * ARTICLES_PER_FILE),
  );
  const text = (make: (group: Article[]) => string, extension: string, mediaType: string | null) =>
    groups.map((group, at) => {
      const content = make(group);
      const pages = Math.ceil(content.length / PAGE_CHARACTERS);
      return { name: `${at}.${extension}`, mediaType, bytes: Buffer.from(content), pages };
    });
  const file = (make: (group: Article[]) => Uint8Array, extension: string, pages?: number) =>
    groups.map((group, at) => ({
      name: `${at}.${extension}`,
      mediaType: null,
      bytes: make(group),
      pages: pages ?? Math.ceil(lengthOf(group) / PAGE_CHARACTERS),
    }));
  const makers: [string, () => InputFile[] | Promise<InputFile[]>][] = [
    ["plain text", () => text(asPlain, "txt", null)],
    ["Markdown", () => text(asMarkdown, "md", "text/markdown")],
    ["HTML", () => text(asHtml, "html", null)],
    ["CSV", () => text(asCsv, "csv", null)],
    ["DOCX", () => file(asDocx, "docx")],
    ["PPTX", () => file(asPptx, "pptx", ARTICLES_PER_FILE)],
    ["XLSX", () => file(asXlsx, "xlsx")],
    ["PDF", () => Promise.all(groups.map(asPdf))],
  ];
  const inputs = new Map<string, InputFile[]>();
  for (const [format, make] of makers) {
    if (formats?.includes(format) ?? true) {
      inputs.set(format, await make());
    }
  }
  return inputs;
}

function readArticles(count: number): Article[] {
  const file = corpusFile();
  const lines = file ? gunzipSync(readFileSync(file)).toString("utf8").split("\n") : [];
  return lines.slice(0, count).map((line) => {
    const { title, text, focus } = JSON.parse(line);
    return { title, text, topic: focus ?? "" };
  });
}

function lengthOf(group: Article[]): number {
  return group.reduce((sum, { text }) => sum + text.length, 0);
}

/** Splits answers into paragraphs, because the corpus has each on one line. */
function paragraphs({ text }: Article): string[] {
  return text.match(/(?:[^.!?]+[.!?]+\s*){1,4}|.+/g)?.map((part) => part.trim()) ?? [text];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function asPlain(group: Article[]): string {
  return group.map((article) => [article.title, ...paragraphs(article)].join("\n\n")).join("\n\n");
}

function asMarkdown(group: Article[]): string {
  return group
    .map((article) => [`## ${article.title}`, ...paragraphs(article)].join("\n\n"))
    .join("\n\n");
}

function asHtml(group: Article[]): string {
  const body = group.map(
    (article) =>
      `<section><h2>${escaped(article.title)}</h2>${paragraphs(article)
        .map((part) => `<p>${escaped(part)}</p>`)
        .join("\n")}</section>`,
  );
  return `<!doctype html><html><head><title>Answers</title></head><body><nav><a href="/">Home</a></nav><main><article>${body.join("\n")}</article></main></body></html>`;
}

function asCsv(group: Article[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = group.map(({ topic, title, text }) => [topic, title, text].map(cell).join(","));
  return ["topic,question,answer", ...rows].join("\n");
}

function asDocx(group: Article[]): Uint8Array {
  const body = group.flatMap((article) => [
    wordParagraph(escaped(article.title), { style: "Heading2" }),
    ...paragraphs(article).map((part) => wordParagraph(escaped(part))),
  ]);
  return docx(body.join(""), "Answers");
}

function asPptx(group: Article[]): Uint8Array {
  return pptx(
    group.map((article) => ({
      title: escaped(article.title),
      body: paragraphs(article).map(escaped),
    })),
  );
}

function asXlsx(group: Article[]): Uint8Array {
  const rows = group.map(({ topic, title, text }) => [topic, title, text].map(escaped));
  return xlsx({ Answers: [["topic", "question", "answer"], ...rows] });
}

async function asPdf(group: Article[], at: number): Promise<InputFile> {
  // The standard Helvetica font only supports Latin-1.
  const lines = asPlain(group)
    .replace(/[^\n -~]/g, " ")
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${LINE_CHARACTERS}}(?:\\s|$)`, "g")) ?? [""]);
  const pages = Math.ceil(lines.length / LINES_PER_PAGE);
  const bytes = await pdf(pages, (page, number, { plain }) =>
    drawLines(page, lines.slice((number - 1) * LINES_PER_PAGE, number * LINES_PER_PAGE), {
      font: plain,
      size: 11,
    }),
  );
  return { name: `${at}.pdf`, mediaType: null, bytes, pages };
}
