import * as z from "zod";
import {
  type Document,
  SourceType,
  Standing,
  type UpdateDocument,
} from "@/lib/library/documents/schema";

/** The values of the form, as typed. */
export const EditForm = z.object({
  title: z.string().trim().min(1, "Give the document a title.").max(500),
  source_type: SourceType,
  standing: Standing,
  url: z
    .string()
    .trim()
    .refine((url) => url === "" || /^https?:\/\/\S+$/.test(url), "Start with http:// or https://."),
  published_at: z.string(),
  metadata: z.string().refine(isObject, 'Write a JSON object, such as {"ward": "7"}.'),
});
export type EditForm = z.infer<typeof EditForm>;

export function toEditForm(document: Document): EditForm {
  return {
    title: document.title,
    source_type: document.source_type,
    standing: document.standing,
    url: document.url ?? "",
    published_at: document.published_at?.slice(0, 10) ?? "",
    metadata: JSON.stringify(document.metadata, null, 2),
  };
}

/** Only what differs: a title that stays needs no new index, and a time of day isn't cut off a date. */
export function toChanges(form: EditForm, document: Document): UpdateDocument | null {
  const before = toEditForm(document);
  const names = (Object.keys(form) as (keyof EditForm)[]).filter(
    (name) => form[name] !== before[name],
  );
  if (names.length === 0) {
    return null;
  }
  return Object.fromEntries(
    names.map((name) => [name, name === "metadata" ? JSON.parse(form.metadata) : form[name]]),
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
