import { formatUsd, Usd } from "@/components/ui/usd";
import type { Rates } from "@/lib/billing/schema";
import { cn } from "@/lib/cn";
import { EXAMPLE_TOKENS, exampleCharge, timesPaidBy } from "./example-charge";

const BALANCE_USD = 10;

/** One request at the rates above, reckoned as a charge is. */
export function WorkedExample({ model }: { model: Rates["models"][number] }) {
  const grounded = exampleCharge(model, "grounded");
  const core = exampleCharge(model, "core");
  const times = timesPaidBy(BALANCE_USD, grounded);
  return (
    <>
      <p className="max-w-prose text-muted">
        A cited answer of <code className="font-mono text-ink text-xs">{model.id}</code> with{" "}
        {EXAMPLE_TOKENS.prompt.toLocaleString("en-US")} prompt tokens, including the sources, and{" "}
        {EXAMPLE_TOKENS.completion} completion tokens, at cited chat rates:
      </p>
      <table className="w-full max-w-xl text-left">
        <caption className="sr-only">How the example is calculated</caption>
        <tbody>
          {grounded.parts.map(({ name, tokens, usdPerMillion, usd }) => (
            <tr key={name} className="border-b">
              <th scope="row" className="py-2 pr-3 font-normal">
                {name}
                <span className="block text-muted text-xs tabular-nums">
                  {tokens.toLocaleString("en-US")} × {formatUsd(usdPerMillion)} / 1,000,000
                </span>
              </th>
              <Amount usd={usd} />
            </tr>
          ))}
          <tr className="border-b">
            <th scope="row" className="py-2 pr-3 font-normal">
              Exact total
            </th>
            <Amount usd={grounded.exactUsd} />
          </tr>
          <tr>
            <th scope="row" className="py-2 pr-3 font-medium">
              Charged (rounded up to a micro-dollar)
            </th>
            <Amount usd={grounded.chargedUsd} isSum />
          </tr>
        </tbody>
      </table>
      <p className="max-w-prose text-muted">
        The same tokens at chat rates cost {formatUsd(core.chargedUsd)}.
        {times !== null &&
          ` ${formatUsd(String(BALANCE_USD))} pays for ${times.toLocaleString("en-US")} cited answers like this.`}
      </p>
    </>
  );
}

/** A rate has three decimal places for a million, so what it costs has nine at most. */
const PLACES = 9;

function Amount({ usd, isSum = false }: { usd: string; isSum?: boolean }) {
  return (
    <td className={cn("py-2 text-right align-bottom", isSum && "font-medium")}>
      <Usd value={usd} places={PLACES} />
    </td>
  );
}
