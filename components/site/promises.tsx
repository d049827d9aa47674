import { TextLink } from "@/components/docs/prose";

const PROMISES = [
  {
    title: "Every citation is checked",
    text: "Citations are [n], and only for sources that exist. Each one is compared with its source: supported, partial, unsupported, contradicted, or openly unjudged. We publish what the check catches and what it misses.",
    address: "/docs/citations",
    more: "How far can you trust a citation?",
  },
  {
    title: "Quotes you can open",
    text: "Each citation carries the exact words that support it, with section, page and a permalink that still finds them after the document changes.",
    address: "/docs/citations#permalinks",
    more: "Quotes and permalinks",
  },
  {
    title: "Your documents stay yours",
    text: "A key reads only the knowledge you gave it. Other accounts and other people’s documents don’t exist for it. Deleting a document deletes its text and its index.",
    address: "/docs/keys#knowledge-scopes",
    more: "Knowledge scopes",
  },
  {
    title: "Prepaid, to the micro-dollar",
    text: "A request starts only if your balance covers its maximum cost, so you can't be overcharged. Each answer includes its cost, and failed requests are free.",
    address: "/docs/billing",
    more: "Balance and holds",
  },
];

/** The guarantees, each with a link to its documentation. */
export function Promises() {
  return (
    <div className="grid gap-10 sm:grid-cols-2">
      {PROMISES.map(({ title, text, address, more }) => (
        <section key={title} className="grid content-start gap-2">
          <h2 className="font-semibold text-base tracking-tight">{title}</h2>
          <p className="text-pretty text-muted leading-6">{text}</p>
          <p>
            <TextLink address={address}>{more}</TextLink>
          </p>
        </section>
      ))}
    </div>
  );
}
