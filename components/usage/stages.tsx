import { placesOf } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { RequestRecord } from "@/lib/usage/schema";
import { ChargeTable } from "./charge-table";
import { formatDuration, formatShare } from "./labels";
import { Section } from "./section";

const STAGES: Record<string, { name: string; color: string }> = {
  retrieval: { name: "Retrieval", color: "bg-success" },
  model: { name: "Model", color: "bg-accent" },
  verification: { name: "Verification", color: "bg-warning" },
};
const OTHER = { name: "Other", color: "bg-control" };

interface Stage {
  name: string;
  color: string;
  ms: number;
}

/** Where a request's time went, or only its total when stages weren't recorded. */
export function Stages({ request }: { request: RequestRecord }) {
  const stages = stagesOf(request);
  return (
    <Section title="Time">
      <div className="grid gap-3 rounded-lg border bg-surface p-4">
        {stages.length > 0 && (
          <div aria-hidden className="flex h-2.5 gap-px overflow-hidden rounded-sm">
            {stages.map(({ name, color, ms }) => (
              <span key={name} className={cn("min-w-0.5", color)} style={{ flexGrow: ms }} />
            ))}
          </div>
        )}
        <dl className="grid gap-1.5">
          {stages.map(({ name, color, ms }) => (
            <div key={name} className="flex items-center gap-2">
              <dt className="flex items-center gap-2">
                <span aria-hidden className={cn("size-2.5 rounded-xs", color)} />
                {name}
              </dt>
              <dd className="ml-auto tabular-nums">
                <span className="text-muted text-xs">{formatShare(ms, totalOf(stages))}</span>{" "}
                {formatDuration(ms)}
              </dd>
            </div>
          ))}
          <Line name="Total" value={formatDuration(request.latency_ms)} isStrong />
          {request.first_token_ms !== null && (
            <Line name="Time to first token" value={formatDuration(request.first_token_ms)} />
          )}
        </dl>
        {stages.length === 0 && (
          <p className="text-muted text-xs">Stage timings weren’t recorded.</p>
        )}
      </div>
    </Section>
  );
}

function Line({ name, value, isStrong }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <div className={cn("flex justify-between gap-2", isStrong ? "font-medium" : "text-muted")}>
      <dt>{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}

/** Stages in order, plus the time outside any stage. */
function stagesOf({ details: { stages_ms: timed = {} }, latency_ms }: RequestRecord): Stage[] {
  const stages = Object.keys({ ...STAGES, ...timed }).flatMap((id) => {
    const ms = timed[id];
    return ms === undefined ? [] : [{ ...(STAGES[id] ?? { name: id, color: "bg-muted" }), ms }];
  });
  const rest = latency_ms - totalOf(stages);
  return stages.length > 0 && rest > 0 ? [...stages, { ...OTHER, ms: rest }] : stages;
}

function totalOf(stages: readonly Stage[]): number {
  return stages.reduce((sum, { ms }) => sum + ms, 0);
}

/** The request's cost, at the rate it was billed. */
export function CostTable({ request: { charge, status } }: { request: RequestRecord }) {
  const { parts, exact_usd, charged_usd } = charge;
  return (
    <Section title="Cost">
      <div className="rounded-lg border bg-surface px-4 py-1.5">
        <ChargeTable
          caption="Cost breakdown"
          charge={charge}
          places={placesOf([...parts.map(({ usd }) => usd), exact_usd, charged_usd])}
          chargedLabel="Charged"
          hasExactTotal={parts.length > 0 && Number(exact_usd) !== Number(charged_usd)}
        />
        <p className="border-t py-2 text-muted text-xs leading-5 empty:hidden">
          {explain(charge, status)}
        </p>
      </div>
    </Section>
  );
}

/** Why the charge differs from the exact sum of its lines. */
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
