import { MAX_ATTRIBUTE } from "@/lib/library/documents/filter-value";

/** A member of a document's metadata that filters compare. */
export interface Attribute {
  name: string;
  value: string | number | boolean;
}

/** Reads a typed value: a number, true, false, or text, which may be in quotes. */
export function parseAttribute(typed: string): Attribute["value"] {
  const text = typed.trim();
  try {
    const value: unknown = JSON.parse(text);
    // Another large number would lose digits.
    const isExact =
      typeof value === "number" &&
      (Math.abs(value) <= Number.MAX_SAFE_INTEGER || JSON.stringify(value) === text);
    return typeof value === "string" || typeof value === "boolean" || isExact ? value : text;
  } catch {
    return text;
  }
}

/** A value as `parseAttribute` reads it: text that looks like another value is in quotes. */
export function formatAttribute(value: Attribute["value"]): string {
  const isPlain =
    typeof value === "string" && /^[^\r\n]+$/.test(value) && parseAttribute(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

/** The attributes in a document's metadata. Lists, objects and long texts don't count. */
export function attributesIn(metadata: Record<string, unknown>): Attribute[] {
  const members = Object.entries(metadata).map(([name, value]) => ({ name, value }));
  return members.filter(
    (member): member is Attribute =>
      typeof member.value !== "object" && `${member.value}`.length <= MAX_ATTRIBUTE,
  );
}
