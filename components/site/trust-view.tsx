import type { ReactNode } from "react";
import { Figures } from "./figures";
import { SiteLink } from "./site-link";

const STEPS = [
  {
    title: "Split into claims",
    text: "Each sentence of the answer is split at its markers. Markers of sources that don’t exist are removed and counted.",
  },
  {
    title: "Compare with the source",
    text: "Content words, numbers, units, ranges, bounds, negations and directions of a claim must be in the passage it cites. Each number must describe the same thing, and no “may”, “in children” or “if” may be dropped.",
  },
  {
    title: "Report, with the words",
    text: "The claim gets one of five verdicts and a reason. The quote is copied from the stored document, never written by a model.",
  },
];

const MISSES = [
  "A finding restated in other words. About a quarter of the “contradicted” verdicts on experts’ own claims were wrong.",
  "Inference: a claim that follows from the source, but isn’t in it.",
  "Swapped roles (“A causes B”) around uncommon verbs, and swapped comparisons.",
  "Whether the source itself is right, current, or about your patient.",
  "Languages other than seven European ones: those claims are marked “not checked”.",
];

const SECURITY: { text: string; link: [address: string, name: string] }[] = [
  {
    text: "One account never reads another’s data. Every endpoint and page is tried as another account on every test run, and row-level security backs it up.",
    link: ["/docs/security#for-accounts", "How accounts are kept apart"],
  },
  {
    text: "Keys, sessions and links are stored as hashes, and none is ever logged.",
    link: ["/docs/security#keys", "How keys are stored"],
  },
  {
    text: "A revoked key fails on its next request, on every process.",
    link: ["/docs/keys#rotate-and-revoke", "How keys are revoked"],
  },
  {
    text: "A balance never goes below zero, even when processes and databases are killed.",
    link: ["/docs/security#money", "How balances are protected"],
  },
];

const ATTACKS = [
  { value: "100", text: "hostile documents, in 14 languages, on every test run" },
  { value: "0", text: "forged a source or a marker, or changed the model’s rules" },
  { value: "82 of 86", text: "detectable attacks are reported in full at upload" },
];

const DATA = [
  "Messages and answers aren’t stored unless a request asks for it. Log lines contain no text of either.",
  "The built-in model runs on the server. Other models receive the messages and the passages that were found.",
  "Deleting a document deletes its text and its index. Stored answers keep the quotes they cited.",
  "Documents aren’t encrypted by Footnote: the operator encrypts disks and backups.",
];

/** How far the product can be trusted, on one page, each part with a link to its documentation. */
export function TrustView() {
  return (
    <div className="mx-auto grid max-w-6xl gap-16 px-4 py-12 sm:gap-24 sm:px-6 sm:py-20">
      <header className="grid max-w-3xl gap-5">
        <h1 className="text-balance font-medium font-serif text-[3.5rem] leading-[1.04] tracking-[-0.03em]">
          Don’t trust it. Check it.
        </h1>
        <p className="max-w-2xl text-pretty text-[1.1875rem] text-muted leading-8">
          A verdict says what a source says, never what is true. Here is how it’s made, what it
          misses, and what we do with your data.
        </p>
      </header>
      <Part
        title="How verification works"
        link={["/docs/citations#verdicts", "Verdicts in detail"]}
      >
        <ol className="grid gap-5 sm:grid-cols-3">
          {STEPS.map(({ title, text }, index) => (
            <li key={title} className="grid content-start gap-2 rounded-2xl border bg-surface p-5">
              <span className="font-mono font-semibold text-accent text-xs">[{index + 1}]</span>
              <h3 className="font-medium font-serif text-xl">{title}</h3>
              <p className="text-pretty text-muted leading-6">{text}</p>
            </li>
          ))}
        </ol>
      </Part>
      <Figures />
      <Part title="What it misses" link={["/docs/benchmarks#verify", "Every measurement"]}>
        <Facts>{MISSES}</Facts>
      </Part>
      <Part title="Red team" link={["/docs/red-team", "What was tried"]}>
        <dl className="grid gap-x-12 gap-y-6 sm:grid-cols-3">
          {ATTACKS.map(({ value, text }) => (
            <div key={value} className="flex flex-col gap-1 border-t pt-4">
              <dt className="order-2 text-pretty text-muted leading-6">{text}</dt>
              <dd className="font-medium font-serif text-4xl tracking-[-0.02em]">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="max-w-3xl text-pretty text-muted leading-7">
          The delimiters around each source hold, whatever a document says. A model that reads a
          source may still believe it: upload documents you trust, and read the quotes.
        </p>
      </Part>
      <Part title="Security" link={["/docs/security", "Every promise, with its test"]}>
        <Facts>
          {SECURITY.map(({ text, link: [address, name] }) => (
            <span key={address}>
              {text} <SiteLink href={address}>{name}</SiteLink>
            </span>
          ))}
        </Facts>
      </Part>
      <Part title="Data handling" link={["/privacy", "Privacy"]}>
        <Facts>{DATA}</Facts>
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  link: [address: string, text: string];
  children: ReactNode;
}

function Part({ title, link: [address, text], children }: PartProps) {
  return (
    <section className="grid gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em]">
          {title}
        </h2>
        <SiteLink href={address}>{text}</SiteLink>
      </div>
      {children}
    </section>
  );
}

function Facts({ children }: { children: readonly ReactNode[] }) {
  return (
    <ul className="grid gap-x-12 sm:grid-cols-2">
      {children.map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
        <li key={index} className="border-t py-4 text-pretty text-[1.0625rem] leading-7">
          {fact}
        </li>
      ))}
    </ul>
  );
}
