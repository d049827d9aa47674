import Link from "next/link";
import { VERDICT_LABELS, VERDICTS } from "@/components/citations/labels";
import { numberDifference } from "@/components/citations/number-difference";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { GetKey } from "@/components/shell/get-key";
import { buttonVariants } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import { EXAMPLE } from "./example";
import { CAUGHT_NUMBERS, CLIENTS_TESTED, MEASURED } from "./figures";
import { NotedAnswer } from "./noted-answer";
import { sourcePath } from "./source-path";

const FACTS = [
  {
    value: CAUGHT_NUMBERS,
    text: `of misplaced numbers caught (${MEASURED.short})`,
    href: "#measured",
  },
  { value: String(CLIENTS_TESTED), text: "client versions tested", href: "/docs/clients" },
  { value: "MIT", text: "licensed, self-hosted", href: "/docs/self-hosting" },
];

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
          <GetKey size="xl" />
          <a href="#try" className={buttonVariants({ size: "xl" })}>
            Try it, no account
          </a>
        </div>
        {/* Here, the answer begins below the first screen. */}
        <CaughtNumber className="mt-6 w-full border-t pt-4 sm:hidden" />
      </div>
      <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <ExampleAnswer />
      </div>
      <div className="grid min-w-0 content-start gap-7">
        <CodeDiff />
        <ul className="grid grid-cols-3 gap-x-5 sm:gap-x-8">
          {FACTS.map(({ value, text, href }) => (
            <li key={href}>
              <Link href={href} prefetch={false} className="group grid gap-0.5 rounded-sm">
                <span className="font-medium font-serif text-2xl tracking-[-0.01em]">{value}</span>
                <span className="text-pretty text-muted text-xs leading-5 underline decoration-transparent underline-offset-4 group-hover:text-ink group-hover:decoration-line sm:text-[0.8125rem]">
                  {text}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const COUNTED = VERDICTS.filter((verdict) => (EXAMPLE.verification?.[verdict] ?? 0) > 0);

/** An answer that is wrong on purpose, with what the check says about each of its claims. */
function ExampleAnswer() {
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

/** The one line that a program adds, in Python. */
function CodeDiff() {
  return (
    <figure className="min-w-0">
      <figcaption className="sr-only">The line to add to a Python program</figcaption>
      <pre className="whitespace-pre-wrap rounded-xl bg-code py-4 font-mono text-[0.8125rem] text-on-code leading-6 [overflow-wrap:anywhere]">
        <code>
          <Line>client.chat.completions.create(</Line>
          <Line indent>
            model=<Text>"gpt-5-mini"</Text>, messages=messages,
          </Line>
          <span className="block bg-[oklch(0.84_0.12_155/0.13)] px-5 text-code-add">
            +{" "}
            <span className="text-on-code">
              extra_body={"{"}
              <Text>"citations"</Text>: {"{"}
              <Text>"enabled"</Text>: <span className="text-code-key">True</span>
              {"}}"},
            </span>
          </span>
          <Line>)</Line>
        </code>
      </pre>
    </figure>
  );
}

function Line({ indent, children }: { indent?: boolean; children: React.ReactNode }) {
  return <span className={`block ${indent ? "pr-5 pl-9" : "px-5"}`}>{children}</span>;
}

function Text({ children }: { children: string }) {
  return <span className="text-code-string">{children}</span>;
}

const CAUGHT = EXAMPLE.annotations
  .map(({ url_citation }) => url_citation)
  .find(({ verification }) => verification?.verdict === "contradicted");
const SOURCE = EXAMPLE.citations.find(({ id }) => id === CAUGHT?.citation_id);
const DIFFERENCE = CAUGHT?.quote ? numberDifference(CAUGHT.claim.text, CAUGHT.quote.text) : null;

/** The number that the example gets wrong, next to its source's, which is one click away. */
function CaughtNumber({ className }: { className?: string }) {
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
