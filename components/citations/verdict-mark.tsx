import { cn } from "@/lib/cn";
import type { Judged, Verdict } from "@/lib/evidence/verdict/judged";
import { formatReason, METHOD_LABELS, VERDICT_LABELS } from "./labels";

/** A verdict's icon, shown beside its label. Each has a distinct shape. */
export function VerdictMark({ verdict, className }: { verdict: Verdict; className?: string }) {
  const { icon: Icon, color } = VERDICT_LABELS[verdict];
  return <Icon aria-hidden className={cn("size-3 shrink-0", color, className)} />;
}

/** A verdict's name, reason and method. */
export function VerdictLine({ judged }: { judged: Judged }) {
  const { name, about } = VERDICT_LABELS[judged.verdict];
  return (
    <div className="grid gap-0.5">
      <p className="flex flex-wrap items-center gap-x-1.5 font-medium">
        <VerdictMark verdict={judged.verdict} className="size-4" />
        {name}
        <span className="font-normal text-muted text-xs">{METHOD_LABELS[judged.method]}</span>
      </p>
      <p className="text-muted text-xs">{formatReason(judged.reason) ?? about}</p>
    </div>
  );
}
