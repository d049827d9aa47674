import { cn } from "@/lib/cn";
import type { RequestRecord } from "@/lib/money/usage/schema";
import { formatDuration, formatShare } from "./labels";
import { Section } from "./section";
import { type Stage, stagesOf } from "./stages";

/** Where a request's time went, as bars on one time axis. */
export function Waterfall({ request }: { request: RequestRecord }) {
  const stages = stagesOf(request);
  const { latency_ms: total, first_token_ms: firstToken } = request;
  return (
    <Section title="Time">
      <div className="rounded-lg border bg-surface px-4 py-3">
        {stages.length > 0 ? (
          <table className="w-full">
            <caption className="sr-only">Stages of the request</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Stage</th>
                <th scope="col">Started after</th>
                <th scope="col">Took</th>
                <th scope="col">Share</th>
              </tr>
            </thead>
            <tbody>
              {stages.map((stage) => (
                <StageRow key={stage.name} stage={stage} total={Math.max(1, total)} />
              ))}
            </tbody>
          </table>
        ) : (
          <p className="text-muted text-xs">Stage timings weren’t recorded.</p>
        )}
        <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1 border-t pt-2.5">
          <Total name="Total" ms={total} />
          {firstToken !== null && <Total name="Time to first token" ms={firstToken} />}
        </dl>
      </div>
    </Section>
  );
}

function StageRow({ stage: { name, color, start, ms }, total }: { stage: Stage; total: number }) {
  const part = (value: number) => `${Math.min(100, (100 * value) / total)}%`;
  return (
    <tr className="grid grid-cols-[minmax(0,1fr)_auto_3rem] items-center gap-x-3 py-1 sm:table-row">
      <th scope="row" className="pr-4 text-left font-normal sm:w-56 sm:py-1">
        {name}
      </th>
      <td className="max-sm:order-last max-sm:col-span-3">
        <span className="sr-only">{formatDuration(start)}</span>
        <span aria-hidden className="block h-3 rounded-sm bg-sunken">
          <span
            className={cn("block h-full min-w-0.5 rounded-sm", color)}
            style={{ marginLeft: part(start), width: part(ms) }}
          />
        </span>
      </td>
      <td className="whitespace-nowrap pl-4 text-right tabular-nums sm:w-24">
        {formatDuration(ms)}
      </td>
      <td className="text-right text-muted text-xs tabular-nums sm:w-14">
        {formatShare(ms, total)}
      </td>
    </tr>
  );
}

function Total({ name, ms }: { name: string; ms: number }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium tabular-nums">{formatDuration(ms)}</dd>
    </div>
  );
}
