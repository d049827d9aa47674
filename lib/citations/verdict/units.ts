import table from "./units.json" with { type: "json" };

/** A unit as its base unit and its size in base units. */
export interface Unit {
  key: string;
  factor: number;
}

const LONG = 4;
const units = new Map<string, Unit>(
  table.flatMap(({ kind, factor, names }) => names.map((name) => [name, { key: kind, factor }])),
);

export function unitOf(word: string): Unit | null {
  const exact = units.get(word);
  if (exact) {
    return exact;
  }
  const lower = word.toLowerCase();
  if (lower === "mmhg") {
    return units.get("mmHg") ?? null;
  }
  return lower.length < LONG
    ? null
    : (units.get(lower) ??
        units.get(lower.replace(/s$/, "")) ??
        units.get(lower.replace(/(?:es|s)$/, "")) ??
        null);
}

/** Days in a unit of time, to compare "per day" with "weekly"; null for other units. */
export function daysIn(unit: Unit): number | null {
  if (unit.key === "day") {
    return unit.factor;
  }
  return unit.key === "month" ? unit.factor * DAYS_IN_MONTH : null;
}

/** The mean length, so that "monthly" equals "once a month" and "yearly" equals "every 12 months". */
const DAYS_IN_MONTH = 30.436875;
