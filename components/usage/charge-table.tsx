import { formatUsd, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { Charge, ChargePart } from "@/lib/money/usage/schema";
import { formatNumber } from "./labels";

interface ChargeTableProps {
  caption: string;
  charge: Charge;
  /** Decimal places of every amount, so that they align. */
  places: number;
  chargedLabel: string;
  hasExactTotal: boolean;
  className?: string;
}

/** How a charge adds up. */
export function ChargeTable({ charge, places, ...props }: ChargeTableProps) {
  return (
    <table className={cn("w-full text-left", props.className)}>
      <caption className="sr-only">{props.caption}</caption>
      <tbody>
        {charge.parts.map((part) => (
          <Line key={part.name} name={part.name} part={part} usd={part.usd} places={places} />
        ))}
        {props.hasExactTotal && <Line name="Exact total" usd={charge.exact_usd} places={places} />}
        <Line name={props.chargedLabel} usd={charge.charged_usd} places={places} isSum />
      </tbody>
    </table>
  );
}

interface LineProps {
  name: string;
  part?: ChargePart;
  usd: string;
  places: number;
  isSum?: boolean;
}

function Line({ name, part, usd, places, isSum = false }: LineProps) {
  const weight = isSum ? "font-medium" : "font-normal";
  return (
    <tr className="border-b last:border-b-0">
      <th scope="row" className={cn("py-2 pr-3", weight)}>
        {name}
        {part && (
          <span className="block text-muted text-xs tabular-nums">{formatFactors(part)}</span>
        )}
      </th>
      <td className={cn("py-2 text-right align-bottom", weight)}>
        <Usd value={usd} places={places} />
      </td>
    </tr>
  );
}

/** Such as `2,417 × $1.25 / 1,000,000`. */
function formatFactors({ quantity, price_usd, per }: ChargePart): string {
  const price = per === 1 ? formatUsd(price_usd) : `${formatUsd(price_usd)} / ${formatNumber(per)}`;
  return `${formatNumber(quantity)} × ${price}`;
}
