/** A bound: "at least 5" is ge, "5" is eq. */
export type Comparator = "eq" | "ge" | "gt" | "le" | "lt";

export interface Quantity {
  /** In the base unit of its key. */
  value: number;
  raw: number;
  /** The base unit: "g", "mol/L", "%", "times/day", "date"; "" without a known unit. */
  key: string;
  /** The unit's size in base units, which distinguishes "5 mg" from "5 g". */
  factor: number;
  comparator: Comparator;
  isRange: boolean;
  first: number;
  next: number;
  /** Unknown parts are null. */
  date?: DateParts;
}

export interface DateParts {
  year: number | null;
  month: number | null;
  day: number | null;
}
