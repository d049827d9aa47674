import { cn } from "@/lib/cn";

interface UsdParts {
  sign: "" | "+" | "−";
  /** With cents, such as `$1,234.50`. */
  dollars: string;
  /** What is smaller than a cent, without closing zeros. */
  rest: string;
}

/** Takes a decimal string of US dollars, such as `-1234.500012`, apart. */
function splitUsd(value: string): UsdParts {
  const [whole = "0", fraction = ""] = value.replace(/^-/, "").split(".");
  const isNothing = !/[1-9]/.test(value);
  return {
    sign: isNothing ? "" : value.startsWith("-") ? "−" : "+",
    dollars: `$${BigInt(whole || "0").toLocaleString("en-US")}.${fraction.slice(0, 2).padEnd(2, "0")}`,
    rest: fraction.slice(2).replace(/0+$/, ""),
  };
}

/** A decimal string of US dollars for reading, such as `−$0.000012`: every digit that counts, and always cents. */
export function formatUsd(value: string): string {
  const { sign, dollars, rest } = splitUsd(value);
  return `${sign === "−" ? sign : ""}${dollars}${rest}`;
}

/** The same to the cent, for where the exact amount is at hand: `$4.99`, or `<$0.01`. */
export function formatRoughUsd(value: string): string {
  const { sign, dollars, rest } = splitUsd(value);
  return dollars === "$0.00" && rest ? "<$0.01" : `${sign === "−" ? sign : ""}${dollars}`;
}

/** How many decimal places the longest of these amounts needs, so that a column of them lines up. */
export function placesOf(values: string[]): number {
  return Math.max(2, ...values.map((value) => 2 + splitUsd(value).rest.length));
}

interface UsdProps {
  /** A decimal string of US dollars. */
  value: string;
  /** Whether a gain shows its plus. */
  isChange?: boolean;
  /** Keeps room for this many decimal places. */
  places?: number;
  className?: string;
}

/** An amount; what is smaller than a cent is an element of its own, so that a place may show it smaller. */
export function Usd({ value, isChange = false, places = 0, className }: UsdProps) {
  const { sign, dollars, rest } = splitUsd(value);
  return (
    <span className={cn("whitespace-nowrap tabular-nums", className)}>
      {isChange || sign === "−" ? sign : ""}
      {dollars}
      {rest && <span>{rest}</span>}
      {places > rest.length + 2 && (
        <span aria-hidden className="invisible select-none">
          {"0".repeat(places - rest.length - 2)}
        </span>
      )}
    </span>
  );
}
