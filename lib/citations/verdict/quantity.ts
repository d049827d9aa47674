/** How a number bounds what it speaks of: "at least 5" is ge, "5" is eq. */
export type Comparator = "eq" | "ge" | "gt" | "le" | "lt";

/** A number of a sentence with what it measures. */
export interface Quantity {
  /** In the base unit of its key. */
  value: number;
  /** The number as it is written. */
  raw: number;
  /** The kind of measure: "g", "mol/L", "%", "times/day", "date"; empty where no known unit follows. */
  key: string;
  /** How many base units one of its unit is, which tells "5 mg" from "5 g". */
  factor: number;
  comparator: Comparator;
  isRange: boolean;
  /** The first token, and the one after the last. */
  first: number;
  next: number;
  /** For a date: its parts, null where it does not say. */
  date?: DateParts;
}

export interface DateParts {
  year: number | null;
  month: number | null;
  day: number | null;
}
