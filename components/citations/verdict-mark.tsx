import {
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleX,
  type LucideIcon,
} from "lucide-react";
import type { Judged, Verdict } from "@/lib/citations/schema";
import { cn } from "@/lib/cn";
import { formatReason, METHOD_LABELS, VERDICT_LABELS } from "./labels";

const LOOKS: Record<Verdict, { icon: LucideIcon; color: string; line: string }> = {
  supported: { icon: CircleCheck, color: "text-success", line: "decoration-success" },
  partial: {
    icon: CircleDashed,
    color: "text-warning",
    line: "decoration-warning decoration-dashed",
  },
  unsupported: {
    icon: CircleQuestionMark,
    color: "text-muted",
    line: "decoration-muted decoration-dotted bg-sunken",
  },
  contradicted: {
    icon: CircleX,
    color: "text-danger",
    line: "decoration-danger decoration-wavy bg-danger-soft",
  },
};

/** A verdict's icon, shown beside its label. Each has a distinct shape. */
export function VerdictMark({ verdict, className }: { verdict: Verdict; className?: string }) {
  const { icon: Icon, color } = LOOKS[verdict];
  return <Icon aria-hidden className={cn("size-3 shrink-0", color, className)} />;
}

/** The underline style of a claim. */
export function claimStyle(verdict: Verdict): string {
  return cn("underline decoration-1 underline-offset-4 box-decoration-clone", LOOKS[verdict].line);
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
