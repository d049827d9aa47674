import { createElement, type ReactNode } from "react";
import pack from "@/knowledge/medical/units.json" with { type: "json" };

const UNITS = [
  ...pack.units.flatMap(({ names }) => names),
  ...["mg", "µg", "μg", "ng", "kg", "g", "mL", "ml", "dL", "L", "mmol", "units?"],
  ...["mm", "cm", "km", "m", "inch(?:es)?", "feet", "lbs?", "pounds?", "ounces?", "oz"],
  ...[
    "%",
    "percent",
    "°C",
    "°F",
    "degrees",
    "kcal",
    "calories",
    "a\\.m\\.",
    "p\\.m\\.",
    "am",
    "pm",
  ],
  ...["seconds?", "minutes?", "hours?", "days?", "weeks?", "months?", "years?", "times"],
];
/** Lengths are bounded, so that long runs of digits take linear time. */
const UNBROKEN = new RegExp(
  [
    String.raw`(?:\+?\d{1,3} )?\(\d{3}\) \d{3}[- ]\d{4}`,
    String.raw`\+?\d{1,4}(?:-[\dA-Z]{2,7}){1,5}`,
    String.raw`[<>≤≥~±]?\d[\d.,–]{0,12}[ \u00a0]?(?:${UNITS.join("|")})(?:/\w{1,6}){0,3}(?!\w)`,
  ].join("|"),
  "g",
);

/** A text whose phone numbers, and numbers with their units, stay on one line. What is copied of it is unchanged. */
export function unbroken(text: string): ReactNode {
  const nodes: ReactNode[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(UNBROKEN)) {
    nodes.push(text.slice(at, index));
    nodes.push(createElement("span", { key: index, className: "whitespace-nowrap" }, found));
    at = index + found.length;
  }
  return at === 0 ? text : [...nodes, text.slice(at)];
}
