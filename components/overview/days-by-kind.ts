import { DAY_MS, USAGE_KINDS } from "@/lib/usage/filter";
import type { Overview } from "@/lib/usage/schema";

export interface KindSums {
  requests: number;
  cost_usd: string;
}

/** Every day of the overview with the sums of every kind, in the order of USAGE_KINDS. */
export function daysByKind({ from, to, days }: Pick<Overview, "from" | "to" | "days">) {
  const known = new Map(days.map((each) => [`${each.day} ${each.kind}`, each]));
  const all: { day: string; kinds: KindSums[] }[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.push({
      day,
      kinds: USAGE_KINDS.map(
        (kind) => known.get(`${day} ${kind}`) ?? { requests: 0, cost_usd: "0" },
      ),
    });
  }
  return all;
}
