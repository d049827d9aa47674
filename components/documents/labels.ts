import type { Tone } from "@/components/ui/badge";
import type { DocumentStatus, JobStatus, Standing } from "@/lib/library/documents/schema";
import { FORMATS, findFormat } from "@/lib/reading/formats";
import type { OcrMode } from "@/lib/reading/ocr/ocr-mode";

export const DOCUMENTS_PAGE = {
  title: "Documents",
  description: "Upload files and test what search returns.",
};

export const SCOPE_LABELS = {
  customer_kb: { name: "Account", about: "Your account’s members and keys" },
  personal_kb: { name: "Personal", about: "You and keys created for you" },
  public_kb: { name: "Public", about: "Everyone. Curated by this service" },
} as const;

export const OCR_LABELS: Record<OcrMode, string> = {
  auto: "Pages without text",
  off: "Off",
  force: "All pages of PDFs and images",
};

export const STATUS_LABELS: Record<DocumentStatus, { name: string; tone: Tone }> = {
  queued: { name: "Queued", tone: "neutral" },
  processing: { name: "Processing", tone: "accent" },
  completed: { name: "Ready", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
  cancelled: { name: "Canceled", tone: "neutral" },
  uploaded: { name: "Not indexed", tone: "neutral" },
};

export const STANDING_NAMES: Record<Standing, string> = {
  current: "Current",
  superseded: "Superseded",
  retracted: "Retracted",
};

/** Of documents that aren't current. */
export const STANDING_LABELS: Record<Exclude<Standing, "current">, { name: string; tone: Tone }> = {
  superseded: { name: "Superseded", tone: "neutral" },
  retracted: { name: "Retracted", tone: "danger" },
};

const STAGE_LABELS: Record<string, string> = {
  parsing: "Reading file",
  recognizing: "Recognizing text",
  embedding: "Embedding passages",
  indexing: "Indexing passages",
};

/** The current step of a job, such as "Reading file". */
export function formatStage(job: { status: JobStatus; stage: string | null }): string {
  if (job.status === "processing") {
    return STAGE_LABELS[job.stage ?? ""] ?? "Processing";
  }
  return job.status === "queued" ? "Waiting to start" : STATUS_LABELS[job.status].name;
}

/** The name of a format; null until the file has been parsed. */
export function formatFormat(mediaType: string): string | null {
  const format = findFormat(mediaType);
  return format ? FORMATS[format].name : null;
}

const UNITS = ["bytes", "kB", "MB", "GB"];

/** Such as "1.2 MB", in steps of 1,024 like the upload limits. */
export function formatSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** power;
  const digits = power > 0 && amount < 10 ? 1 : 0;
  const unit = bytes === 1 ? "byte" : UNITS[power];
  return `${amount.toLocaleString("en-US", { maximumFractionDigits: digits })} ${unit}`;
}

/** Such as "page 3" or "pages 3–4"; null without pages. */
export function formatPages(start: number | null, end: number | null): string | null {
  if (start === null) {
    return null;
  }
  return end === null || end === start ? `page ${start}` : `pages ${start}–${end}`;
}

/** What a passage with a warning does, by its code. */
export const WARNING_LABELS: Record<string, string> = {
  hidden_text: "contains hidden text",
  struck_text: "has words that are struck out",
  recognized_text: "was recognized in an image (OCR), so check its numbers",
  zero_width_characters: "contains zero-width characters",
  bidi_controls: "contains characters that change the text direction",
  tag_characters: "contains invisible tag characters",
  imitates_turns: "imitates the marks of a chat; it is quoted, never followed",
};
