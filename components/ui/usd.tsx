import { cn } from "@/lib/cn";

/** Splits a decimal string of US dollars, such as `-1234.500012` into `−`, `$1,234.50` and `0012`. */
function splitUsd(value: string) {
  const [whole = "0", fraction = ""] = value.replace(/^-/, "").split(".");
  const isNothing = !/[1-9]/.test(value);
  return {
    sign: isNothing ? "" : value.startsWith("-") ? "−" : "+",
    dollars: `$${BigInt(whole || "0").toLocaleString("en-US")}.${fraction.slice(0, 2).padEnd(2, "0")}`,
    rest: fraction.slice(2).replace(/0+$/, ""),
  };
}

/** Formats a decimal string of US dollars with all significant digits, such as `−$0.000012` or `$5.00`. */
export function formatUsd(value: string): string {
  const { sign, dollars, rest } = splitUsd(value);
  return `${sign === "−" ? sign : ""}${dollars}${rest}`;
}

/** The same cut to cents, such as `$4.99` or `<$0.01`. */
export function formatRoughUsd(value: string): string {
  const { sign, dollars, rest } = splitUsd(value);
  return dollars === "$0.00" && rest ? "<$0.01" : `${sign === "−" ? sign : ""}${dollars}`;
}

/** The decimal places of the longest amount, to align a column. */
export function placesOf(values: string[]): number {
  return Math.max(2, ...values.map((value) => 2 + splitUsd(value).rest.length));
}

interface UsdProps {
  /** A decimal string of US dollars. */
  value: string;
  /** Whether to show a plus sign. */
  isChange?: boolean;
  /** Fills up to this many decimal places with pale zeros, so that the amounts of a column end together. */
  places?: number;
  className?: string;
}

/** An amount. Fractions of a cent are a separate element, so that they can be styled smaller. */
export function Usd({ value, isChange = false, places = 0, className }: UsdProps) {
  const { sign, dollars, rest } = splitUsd(value);
  return (
    <span className={cn("whitespace-nowrap tabular-nums", className)}>
      {isChange || sign === "−" ? sign : ""}
      {dollars}
      {rest && <span>{rest}</span>}
      {places > rest.length + 2 && (
        <span aria-hidden className="select-none font-normal text-muted">
          {"0".repeat(places - rest.length - 2)}
        </span>
      )}
    </span>
  );
}
