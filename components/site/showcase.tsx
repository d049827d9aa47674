import Link from "next/link";
import type { ReactNode } from "react";
import { VERDICT_LABELS, VERDICTS } from "@/components/citations/labels";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { EXAMPLE } from "./example";
import { SiteLink } from "./site-link";
import { sourcePath } from "./source-path";

/** The three promises, each with a picture of what it looks like. */
export function Showcase() {
  return (
    <div className="grid gap-20 sm:gap-28">
      <Row
        title="Every claim gets a verdict"
        text="Each sentence is compared with the passage it cites: numbers, units, bounds, negations, who does what. The check runs on every cited answer, takes about a millisecond per claim, and costs nothing."
        link={{ address: "/docs/citations#verdicts", text: "How verdicts work" }}
        picture={<Verdicts />}
      />
      <Row
        isFlipped
        title="The words, on the page"
        text="A citation carries the exact words it relies on, with section and page. Its link opens the document with those words marked, and still finds them after the document changes."
        link={{ address: "/docs/citations#permalinks", text: "Quotes and permalinks" }}
        picture={<QuotedPage />}
      />
      <Row
        title="Never more than you have"
        text="A request reserves its maximum cost before it starts and pays for what it used when it ends. Your balance can’t go below zero, and failed requests are free."
        link={{ address: "/docs/billing", text: "Balance and holds" }}
        picture={<HoldAndCharge />}
      />
    </div>
  );
}

interface RowProps {
  title: string;
  text: string;
  link: { address: string; text: string };
  picture: ReactNode;
  isFlipped?: boolean;
}

function Row({ title, text, link, picture, isFlipped = false }: RowProps) {
  return (
    <section className="grid items-center gap-x-16 gap-y-8 lg:grid-cols-2">
      <div className={`grid max-w-lg gap-4 ${isFlipped ? "lg:order-2" : ""}`}>
        <h2 className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em]">
          {title}
        </h2>
        <p className="text-pretty text-[1.0625rem] text-muted leading-7">{text}</p>
        <p>
          <SiteLink href={link.address}>{link.text}</SiteLink>
        </p>
      </div>
      <div className="min-w-0">{picture}</div>
    </section>
  );
}

function Verdicts() {
  return (
    <ul className="divide-y overflow-hidden rounded-2xl border bg-surface">
      {VERDICTS.map((verdict) => {
        const { name, about, color, style } = VERDICT_LABELS[verdict];
        return (
          <li key={verdict} className="grid gap-1 px-5 py-3.5 sm:grid-cols-[13rem_minmax(0,1fr)]">
            <span className={`flex items-center gap-2 font-medium ${color}`}>
              <VerdictMark verdict={verdict} className="size-4" />
              {name}
            </span>
            <span
              className={`justify-self-start font-serif text-base underline decoration-2 underline-offset-4 ${style}`}
            >
              {about}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** The passage of the example's contradicted claim, with the words that the claim gets wrong. */
function QuotedPage() {
  const at = EXAMPLE.annotations[0]?.url_citation;
  const citation = EXAMPLE.citations.find(({ id }) => id === at?.citation_id);
  if (!at?.quote || !citation) {
    return null;
  }
  const [before = "", after = ""] = citation.excerpt
    .split(at.quote.text)
    .map((text) => text.replaceAll(/^- /gm, "• "));
  return (
    <Link
      href={sourcePath(citation.document_id, at.quote.permalink)}
      prefetch={false}
      aria-label={`Open the source: ${citation.title}`}
      className="relative mx-auto block max-w-md rounded-sm border bg-surface px-8 pt-9 pb-0 shadow-[0_24px_60px_-28px_oklch(0.2_0.01_80/0.35)] transition-transform hover:-translate-y-0.5 motion-reduce:hover:translate-y-0 sm:px-10"
    >
      <span className="block border-b pb-3 font-serif font-medium text-xl">{citation.title}</span>
      <span className="mt-4 block text-muted text-xs">{at.quote.section?.split(" › ").at(-1)}</span>
      <span className="mt-2 block max-h-56 overflow-hidden whitespace-pre-line font-serif text-base leading-7 [mask-image:linear-gradient(black_60%,transparent)]">
        {before}
        <mark className="bg-warning-soft box-decoration-clone text-ink underline decoration-2 decoration-warning underline-offset-4">
          {at.quote.text}
        </mark>
        {after}
      </span>
      <span
        aria-hidden
        className="-left-3 absolute top-28 rounded bg-accent px-1.5 py-0.5 font-mono font-semibold text-on-accent text-xs"
      >
        [{citation.id}]
      </span>
    </Link>
  );
}

const STEPS = [
  { name: "Request arrives", held: 32, charged: 0, note: "Reserve the maximum cost" },
  { name: "Model answers", held: 32, charged: 0, note: "Nothing else can spend it" },
  { name: "Answer ends", held: 0, charged: 9, note: "Charge what was used, release the rest" },
];

function HoldAndCharge() {
  return (
    <figure className="grid gap-5 rounded-2xl border bg-surface p-5 sm:p-7">
      <ol className="grid gap-5">
        {STEPS.map(({ name, held, charged, note }, index) => (
          <li key={name} className="grid gap-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span>
                <span className="mr-2 font-mono text-accent text-xs">[{index + 1}]</span>
                <span className="font-medium">{name}</span>
              </span>
              <span className="text-[0.8125rem] text-muted">{note}</span>
            </p>
            <span aria-hidden className="flex h-7 gap-0.5 overflow-hidden rounded-md bg-sunken">
              <span
                className="bg-success-soft outline outline-success/50 -outline-offset-1"
                style={{ width: `${100 - held - charged}%` }}
              />
              {held > 0 && (
                <span
                  className="bg-[repeating-linear-gradient(135deg,var(--color-warning-soft)_0_6px,transparent_6px_10px)] outline outline-warning/60 -outline-offset-1"
                  style={{ width: `${held}%` }}
                />
              )}
              {charged > 0 && <span className="bg-ink" style={{ width: `${charged}%` }} />}
            </span>
          </li>
        ))}
      </ol>
      <figcaption className="flex flex-wrap gap-x-5 gap-y-1.5 border-t pt-4 text-muted text-xs">
        <Key className="bg-success-soft outline outline-success/50">Available</Key>
        <Key className="bg-warning-soft outline outline-warning/60">Reserved</Key>
        <Key className="bg-ink">Charged</Key>
      </figcaption>
    </figure>
  );
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className={`size-3 rounded-sm -outline-offset-1 ${className}`} />
      {children}
    </span>
  );
}
