import { VERDICT_LABELS, VERDICTS } from "@/components/citations/labels";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { formatCount } from "@/lib/format-count";
import { CaughtNumber } from "./caught-number";
import { EXAMPLE } from "./example";
import { NotedAnswer } from "./noted-answer";

const COUNTED = VERDICTS.filter((verdict) => (EXAMPLE.verification?.[verdict] ?? 0) > 0);

/** An answer that is wrong on purpose, with what the check says about each of its claims. */
export function ExampleAnswer() {
  const { question, verification } = EXAMPLE;
  return (
    <figure aria-label="An answer that is wrong on purpose" className="min-w-0">
      <div className="min-w-0 overflow-hidden rounded-2xl border bg-surface shadow-[0_24px_60px_-28px_oklch(0.2_0.01_80/0.35)]">
        <p className="flex gap-3 border-b px-5 py-3.5 leading-6 sm:px-6">
          <span className="pt-px font-mono text-muted text-xs leading-6">user</span>
          {question}
        </p>
        <NotedAnswer answer={EXAMPLE} isPlain caption={<Caption />} />
        <p className="flex flex-wrap gap-x-5 gap-y-1 border-t px-5 py-3 text-[0.8125rem] sm:px-6">
          <span>{formatCount(verification?.claims.length ?? 0, "claim")} checked</span>
          {COUNTED.map((verdict) => (
            <span
              key={verdict}
              className={`inline-flex items-center gap-1.5 ${VERDICT_LABELS[verdict].color}`}
            >
              <VerdictMark verdict={verdict} className="size-3.5" />
              {verification?.[verdict]} {VERDICT_LABELS[verdict].name.toLowerCase()}
            </span>
          ))}
        </p>
      </div>
    </figure>
  );
}

function Caption() {
  return (
    <div className="grid gap-6">
      <CaughtNumber className="border-t pt-5 max-sm:hidden" />
      <p className="border-danger border-l-2 pl-3 text-[0.8125rem] text-muted leading-5">
        <strong className="font-medium text-ink">Wrong on purpose.</strong> A script wrote this
        answer. The verdicts are Footnote’s own, on its public sample of medical articles.
      </p>
    </div>
  );
}
