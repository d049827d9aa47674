/** An amount of micro-dollars (1e-6 USD). All money is integer. */
export type Micros = bigint;

const MICROS_PER_USD = 1_000_000n;

/** A decimal string of US dollars with all six places, such as `"12.345000"`. */
export function microsToUsd(micros: Micros): string {
  const magnitude = micros < 0n ? -micros : micros;
  const fraction = String(magnitude % MICROS_PER_USD).padStart(6, "0");
  return `${micros < 0n ? "-" : ""}${magnitude / MICROS_PER_USD}.${fraction}`;
}

/** Headers that carry a charge: ours, and LiteLLM's, which its cost tracking reads. */
export function costHeaders(costUsd: string) {
  return { "x-footnote-cost-usd": costUsd, "x-litellm-response-cost": costUsd };
}

/** A charge in `usage`: exact, and as the number that other clients know. */
export function costFields(costUsd: string) {
  return { cost: Number(costUsd), cost_usd: costUsd };
}

/** As emails show it: with cents, and smaller digits if any. */
export function formatMicros(micros: Micros): string {
  return `$${microsToUsd(micros).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

/** Micro-dollars of an amount in US dollars with at most six places. */
export function usdToMicros(usd: number): Micros {
  return BigInt(Math.round(usd * 1_000_000));
}

/** Micro-dollars of a decimal string with at most six places, such as `"50"` or `"0.25"`. */
export function parseUsd(usd: string): Micros {
  const [whole = "", fraction = ""] = usd.split(".");
  return BigInt(whole + fraction.padEnd(6, "0"));
}

/** The quotient rounded up; both at least 0. */
export function divideUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}
