import Link from "next/link";
import { VERDICT_LABELS } from "@/components/citations/labels";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { buttonVariants } from "@/components/ui/button";
import { CodeDiff } from "./code-diff";
import { EXAMPLE } from "./example";
import { ExampleAnswer } from "./example-answer";
import { CAUGHT_NUMBERS, MEASURED } from "./figures";
import { sourcePath } from "./source-path";

const CAUGHT = EXAMPLE.annotations
  .map(({ url_citation }) => url_citation)
  .find(({ verification }) => verification?.verdict === "contradicted");

/** The first screen: what the product does, shown by an answer that it caught. On phones the answer comes before the code. */
export function Hero() {
  return (
    <section className="mx-auto grid max-w-7xl items-start gap-x-14 gap-y-10 px-4 pt-9 pb-16 sm:px-6 sm:pt-16 lg:grid-cols-[minmax(0,29rem)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:pb-24 xl:grid-cols-[minmax(0,35rem)_minmax(0,1fr)]">
      <div className="grid min-w-0 content-start justify-items-start">
        <h1 className="font-medium font-serif text-[3.5rem] leading-[1.04] tracking-[-0.03em] xl:text-[4.25rem]">
          {/* Lines that no font fills to the edge, so that a font that comes late breaks them nowhere else. */}
          Answers that <br className="sm:hidden" />
          <span className="underline decoration-[0.055em] decoration-accent underline-offset-[0.12em]">
            show <br className="max-sm:hidden" />
            their <br className="sm:hidden" />
            sources
          </span>
          <sup
            aria-hidden
            className="-top-[1.6em] ml-1 font-mono font-semibold text-[0.26em] text-accent tracking-normal"
          >
            [1]
          </sup>
        </h1>
        <p className="mt-5 max-w-[31rem] text-pretty text-[1.0625rem] text-muted leading-7 sm:mt-7 sm:text-[1.1875rem] sm:leading-8">
          Keep your OpenAI client. Add one field, and every sentence links to the exact words that
          support it, or is flagged when they don’t.
        </p>
        <div className="mt-6 flex flex-wrap gap-3 sm:mt-8">
          <Link href="/sign-up" className={buttonVariants({ variant: "primary", size: "xl" })}>
            Get an API key
          </Link>
          <a href="#try" className={buttonVariants({ size: "xl" })}>
            Try it, no account
          </a>
        </div>
        <CaughtClaim />
      </div>
      <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <ExampleAnswer />
      </div>
      <div className="grid min-w-0 content-start gap-5">
        <CodeDiff />
        <ul className="flex flex-wrap gap-x-7 gap-y-2 text-[0.8125rem] text-muted">
          <li>
            <Link href="#measured" className="rounded-sm py-1 hover:text-ink">
              <span className="font-semibold text-ink">{CAUGHT_NUMBERS}</span> of changed numbers
              caught ({MEASURED.short})
            </Link>
          </li>
          <li>
            <Link href="/docs/clients" prefetch={false} className="rounded-sm py-1 hover:text-ink">
              <span className="font-semibold text-ink">7</span> client versions tested
            </Link>
          </li>
          <li>
            <span className="font-semibold text-ink">MIT</span> licensed, self-hosted
          </li>
        </ul>
      </div>
    </section>
  );
}

/** On phones, where the answer begins below the first screen: its false claim, and the source that says otherwise. */
function CaughtClaim() {
  const source = EXAMPLE.citations.find(({ id }) => id === CAUGHT?.citation_id);
  return (
    CAUGHT &&
    source && (
      <p className="mt-5 flex gap-2 text-[0.8125rem] leading-5 sm:hidden">
        <VerdictMark verdict="contradicted" className="mt-0.5 size-4 shrink-0 text-danger" />
        <span className="min-w-0">
          “{CAUGHT.claim?.text}”
          <span className="block">
            <span className="text-danger">{VERDICT_LABELS.contradicted.name}</span> by{" "}
            <Link
              href={sourcePath(source.document_id, CAUGHT.quote?.permalink ?? null)}
              prefetch={false}
              className="text-accent underline underline-offset-4"
            >
              its source
            </Link>
          </span>
        </span>
      </p>
    )
  );
}
