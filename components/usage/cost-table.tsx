import { formatUsd, placesOf, Usd } from "@/components/ui/usd";
import type { ChargePart, RequestRecord } from "@/lib/usage/schema";
import { formatNumber } from "./labels";
import { Section } from "./section";

/** What the request cost, at the rate it was billed at. */
export function CostTable({ request: { charge, status } }: { request: RequestRecord }) {
  const { parts, exact_usd, charged_usd } = charge;
  const places = placesOf([...parts.map(({ usd }) => usd), exact_usd, charged_usd]);
  return (
    <Section title="Cost">
      <div className="rounded-lg border bg-surface px-4 py-1.5">
        <table className="w-full text-left">
          <caption className="sr-only">Cost breakdown</caption>
          <tbody>
            {parts.map((part) => (
              <tr key={part.name} className="border-b">
                <th scope="row" className="py-2 pr-3 font-normal">
                  {part.name}
                  <span className="block text-muted text-xs tabular-nums">
                    {formatFactors(part)}
                  </span>
                </th>
                <td className="py-2 text-right align-bottom">
                  <Usd value={part.usd} places={places} />
                </td>
              </tr>
            ))}
            {parts.length > 0 && Number(exact_usd) !== Number(charged_usd) && (
              <tr className="border-b">
                <th scope="row" className="py-2 pr-3 font-normal">
                  Exact total
                </th>
                <td className="py-2 text-right">
                  <Usd value={exact_usd} places={places} />
                </td>
              </tr>
            )}
            <tr>
              <th scope="row" className="py-2 pr-3 font-medium">
                Charged
              </th>
              <td className="py-2 text-right font-medium">
                <Usd value={charged_usd} places={places} />
              </td>
            </tr>
          </tbody>
        </table>
        <p className="border-t py-2 text-muted text-xs leading-5 empty:hidden">
          {explain(charge, status)}
        </p>
      </div>
    </Section>
  );
}

/** Such as `2,417 × $1.25 / 1,000,000`. */
function formatFactors({ quantity, price_usd, per }: ChargePart): string {
  const price = per === 1 ? formatUsd(price_usd) : `${formatUsd(price_usd)} / ${formatNumber(per)}`;
  return `${formatNumber(quantity)} × ${price}`;
}

/** Why the charge is not the exact sum of its parts. */
function explain({ parts, exact_usd, charged_usd }: RequestRecord["charge"], status: number) {
  if (status >= 400 && !/[1-9]/.test(charged_usd)) {
    return "Failed requests are free.";
  }
  if (parts.length === 0) {
    return "The rate for this request wasn’t recorded.";
  }
  const [exact, charged] = [exact_usd, charged_usd].map(Number) as [number, number];
  if (charged > exact) {
    return "Rounded up to the next micro-dollar.";
  }
  return charged < exact ? "Limited to the amount reserved and the available balance." : null;
}
