import type { Tone } from "@/components/ui/badge";
import { type Format, MEDIA_TYPES } from "@/lib/documents/media-types";
import type { JobStatus } from "@/lib/documents/schema";

export const DOCUMENTS_PAGE = {
  title: "Documents",
  description: "What your account and you have uploaded, and what a search finds in it.",
};

export const DOCUMENT_NOUN = { one: "document", many: "documents" };

export const SCOPE_LABELS = {
  customer_kb: { name: "Customer", about: "Members and keys of the account" },
  personal_kb: { name: "Personal", about: "You, and keys made for you" },
  public_kb: { name: "Public", about: "Everyone; curated by this service" },
} as const;

export const STATUS_LABELS: Record<JobStatus, { name: string; tone: Tone }> = {
  queued: { name: "Queued", tone: "neutral" },
  processing: { name: "Processing", tone: "accent" },
  completed: { name: "Ready", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
  cancelled: { name: "Cancelled", tone: "neutral" },
};

const STAGE_LABELS: Record<string, string> = {
  parsing: "Reading the file",
  embedding: "Embedding passages",
  indexing: "Storing passages",
};

/** What a job is at, in a few words. */
export function formatStage({
  status,
  stage,
}: {
  status: JobStatus;
  stage: string | null;
}): string {
  if (status === "processing") {
    return STAGE_LABELS[stage ?? ""] ?? "Processing";
  }
  return status === "queued" ? "Waiting for its turn" : STATUS_LABELS[status].name;
}

export const FORMAT_LABELS: Record<Format, string> = {
  pdf: "PDF",
  docx: "Word",
  pptx: "PowerPoint",
  xlsx: "Excel",
  odt: "OpenDocument",
  epub: "EPUB",
  html: "Web page",
  markdown: "Markdown",
  csv: "CSV",
  text: "Plain text",
};

/** The name of a media type; null as long as nobody has read the file. */
export function formatFormat(mediaType: string): string | null {
  const known = (Object.keys(MEDIA_TYPES) as Format[]).find(
    (format) => MEDIA_TYPES[format] === mediaType,
  );
  return known ? FORMAT_LABELS[known] : null;
}

export const FORMAT_LIST =
  "PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, HTML, Markdown, CSV or plain text";

const UNITS = ["bytes", "kB", "MB", "GB"];

/** Such as "1.2 MB", in steps of 1,024 as the limits are. */
export function formatSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** power;
  const digits = power > 0 && amount < 10 ? 1 : 0;
  const unit = bytes === 1 ? "byte" : UNITS[power];
  return `${amount.toLocaleString("en-US", { maximumFractionDigits: digits })} ${unit}`;
}

/** Such as "1 passage" or "1,204 passages". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Such as "page 3" or "pages 3–4"; null without pages. */
export function formatPages(start: number | null, end: number | null): string | null {
  if (start === null) {
    return null;
  }
  return end === null || end === start ? `page ${start}` : `pages ${start}–${end}`;
}

/** What a reader should know of a passage, by its code. */
export const WARNING_LABELS: Record<string, string> = {
  hidden_text: "holds text that a reader does not see",
  zero_width_characters: "holds characters without width",
  bidi_controls: "holds characters that turn the direction of writing",
  tag_characters: "holds characters that nobody sees",
  addresses_the_model: "speaks to an AI model; it is quoted, never obeyed",
};
