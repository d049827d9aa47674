import { isIsoDate } from "./filter-schema";

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
