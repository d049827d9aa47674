import { readPacks } from "@/lib/packs";
import si from "./units.json" with { type: "json" };

/** A unit as its base unit and its size in base units. */
export interface Unit {
  key: string;
  factor: number;
}

const LONG = 4;
const units = new Map<string, Unit>(
  [...si, ...readPacks("units").units].flatMap(({ kind, factor, names }) =>
    names.map((name) => [name, { key: kind, factor }]),
  ),
);

export function unitOf(word: string): Unit | null {
  const lower = word.toLowerCase();
  const exact = units.get(word);
  if (exact || lower.length < LONG) {
    return exact ?? null;
  }
  const singulars = [lower, lower.replace(/s$/, ""), lower.replace(/(?:es|s)$/, "")];
  return units.get(singulars.find((one) => units.has(one)) ?? "") ?? null;
}

/** The mean month, so that "monthly" equals "once a month" and "yearly" equals "every 12 months". */
const DAYS: Partial<Record<string, number>> = { day: 1, month: 30.436875 };

/** Days in a unit of time, to compare "per day" with "weekly"; null for other units. */
export function daysIn({ key, factor }: Unit): number | null {
  const days = DAYS[key];
  return days ? factor * days : null;
}
