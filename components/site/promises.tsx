import { TextLink } from "@/components/docs/prose";

const PROMISES = [
  {
    title: "Every marker is checked",
    text: "Markers come as [n], and only for sources that exist. Each is held against its source: supported, partial, unsupported or contradicted. What such a check sees and what it misses is measured, and said.",
    address: "/docs/citations",
    more: "How far can you trust a citation?",
  },
  {
    title: "Quotes with their place",
    text: "A marker carries the words it rests on, exactly as the document has them, with section and page, and a permalink that still finds them when the document has moved on.",
    address: "/docs/citations#permalinks",
    more: "Quotes and permalinks",
  },
  {
    title: "Your documents stay yours",
    text: "A key reads the knowledge it was made for. What belongs to another account or another person does not exist for it. Deleting a document takes its text and its index with it.",
    address: "/docs/keys#knowledge-scopes",
    more: "Knowledge scopes",
  },
  {
    title: "Prepaid, to the micro-dollar",
    text: "A request begins only when the balance covers what it may cost at most, so the balance never goes below zero by it. Each answer says what it cost; one that fails costs nothing.",
    address: "/docs/billing",
    more: "Balance and holds",
  },
];

/** What can be relied on, each with where it is said in full. */
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
