/** Names as long as those of metadata, and values as long as OpenAI's attributes. */
export const MAX_KEY = 100;
export const MAX_ATTRIBUTE = 512;

/** A document's own fields, with what filters compare them with. They win over attributes of the same names. */
export const OWN_FIELDS: Record<string, "text" | "date"> = {
  source_type: "text",
  title: "text",
  language: "text",
  published_at: "date",
  created_at: "date",
  standing: "text",
  file_name: "text",
};

const ISO_DATE =
  /^([1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/;

/** Text that filters compare as a date: one that the calendar has, in UTC if it has no offset. */
export function isIsoDate(value: string): boolean {
  const [, day = ""] = ISO_DATE.exec(value) ?? [];
  // JavaScript makes March 2 of February 30.
  return day !== "" && new Date(day).toISOString().startsWith(day);
}

/** Bounds in the text form of document_attribute.value, which sorts as the values do and begins with their type. */
export interface ValueBounds {
  low: string;
  /** The same as `low`, except for a date without a time: that means its whole day, in UTC. */
  high: string;
}

const SIGN = 1n << 63n;

/** The text form of a filter's value, as the function attribute_value of the database writes stored ones. */
export function valueBounds(key: string, value: string | number | boolean): ValueBounds {
  if (typeof value === "string" && isIsoDate(value)) {
    return dateBounds(value);
  }
  const form = key === "source_type" ? String(value).toLowerCase() : value;
  const exact =
    typeof form === "number" ? `n${sortableBits(form)}` : `${(typeof form).charAt(0)}${form}`;
  return { low: exact, high: exact };
}

function dateBounds(value: string): ValueBounds {
  if (!value.includes("T")) {
    return { low: `d${value}T00:00:00.000Z`, high: `d${value}T23:59:59.999Z` };
  }
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(value);
  const exact = `d${new Date(hasOffset ? value : `${value}Z`).toISOString()}`;
  return { low: exact, high: exact };
}

/** The bits of a number as hexadecimal digits that sort as the numbers do. */
function sortableBits(value: number): string {
  // Adding 0 turns -0 into 0, which are equal.
  const bits = new BigUint64Array(Float64Array.of(value + 0).buffer)[0] ?? 0n;
  const sortable = bits & SIGN ? BigInt.asUintN(64, ~bits) : bits | SIGN;
  return sortable.toString(16).padStart(16, "0");
}
