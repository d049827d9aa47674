import Link from "next/link";
import { numberDifference } from "@/components/citations/number-difference";
import { cn } from "@/lib/cn";
import { EXAMPLE } from "./example";
import { sourcePath } from "./source-path";

const CAUGHT = EXAMPLE.annotations
  .map(({ url_citation }) => url_citation)
  .find(({ verification }) => verification?.verdict === "contradicted");
const SOURCE = EXAMPLE.citations.find(({ id }) => id === CAUGHT?.citation_id);
const DIFFERENCE = CAUGHT?.quote ? numberDifference(CAUGHT.claim.text, CAUGHT.quote.text) : null;

/** The number that the example gets wrong, next to its source's, which is one click away. */
export function CaughtNumber({ className }: { className?: string }) {
  if (!CAUGHT || !SOURCE || !DIFFERENCE) {
    return null;
  }
  return (
    <dl className={cn("grid grid-cols-2 gap-x-6", className)}>
      <div className="grid justify-items-start gap-1">
        <dt className="text-muted text-xs">The answer says</dt>
        <dd className="bg-danger-soft px-0.5 font-serif text-2xl underline decoration-2 decoration-danger decoration-wavy underline-offset-4 sm:text-[1.75rem]">
          {DIFFERENCE.claim}
        </dd>
      </div>
      <div className="grid justify-items-start gap-1">
        <dt className="text-muted text-xs">
          <Link
            href={sourcePath(SOURCE.document_id, CAUGHT.quote?.permalink ?? null)}
            prefetch={false}
            className="rounded-sm text-accent underline underline-offset-4"
          >
            Its source
          </Link>{" "}
          says
        </dt>
        <dd className="bg-warning-soft px-0.5 font-serif text-2xl underline decoration-2 decoration-warning underline-offset-4 sm:text-[1.75rem]">
          {DIFFERENCE.quote}
        </dd>
      </div>
    </dl>
  );
}
