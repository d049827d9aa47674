import { cn } from "@/lib/cn";
import type { RequestRecord } from "@/lib/usage/schema";
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

/** Where the time of a request went; its whole time alone where no more is known. */
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

/** Stages in the order they came, and what no stage accounts for. */
function stagesOf({ details, latency_ms }: RequestRecord): Stage[] {
  const known = Object.entries(details.stages_ms ?? {});
  if (known.length === 0) {
    return [];
  }
  const order = Object.keys(STAGES);
  const stages = known
    .toSorted(([a], [b]) => rank(order, a) - rank(order, b))
    .map(([id, ms]) => ({ ...(STAGES[id] ?? { name: id, color: "bg-muted" }), ms }));
  const rest = latency_ms - totalOf(stages);
  return rest > 0 ? [...stages, { ...OTHER, ms: rest }] : stages;
}

function rank(order: readonly string[], id: string): number {
  return order.includes(id) ? order.indexOf(id) : order.length;
}

function totalOf(stages: readonly Stage[]): number {
  return stages.reduce((sum, { ms }) => sum + ms, 0);
}
