import { Badge } from "@/components/ui/badge";

const QUESTION = "What is the first-line treatment of anaphylaxis?";

const ANSWER: { text: string; source: number }[] = [
  {
    text: "Epinephrine is the only first-line treatment of anaphylaxis.",
    source: 1,
  },
  {
    text: "Antihistamines relieve itching and hives but do not open the airway or raise blood pressure in anaphylaxis.",
    source: 1,
  },
  {
    text: "Begin CPR if a person with anaphylaxis stops breathing.",
    source: 2,
  },
];

const SOURCES = [
  {
    id: 1,
    title: "Anaphylaxis",
    section: "Treatment",
    url: "https://medlineplus.gov/anaphylaxis.html",
  },
  {
    id: 2,
    title: "Anaphylaxis",
    section: "First aid",
    url: "https://medlineplus.gov/anaphylaxis.html",
  },
];

/** What an answer looks like. Its sentences stand so in the sample knowledge base. */
export function ExampleAnswer() {
  return (
    <figure className="grid gap-4 rounded-lg border bg-surface p-5">
      <figcaption className="flex items-center justify-between gap-3">
        <h2 className="font-medium text-base">A cited answer</h2>
        <Badge tone="neutral">Example</Badge>
      </figcaption>
      <p className="justify-self-end rounded-lg bg-sunken px-3 py-2">
        {QUESTION}
      </p>
      <p className="leading-6">
        {ANSWER.map(({ text, source }) => (
          <span key={text}>
            {text} <Marker source={source} />{" "}
          </span>
        ))}
      </p>
      <ol className="grid gap-2 border-t pt-4">
        {SOURCES.map(({ id, title, section, url }) => (
          <li
            key={id}
            id={`source-${id}`}
            className="flex gap-3 rounded-md px-2 py-1.5 target:bg-accent-soft"
          >
            <span className="font-mono text-accent text-xs leading-5">
              [{id}]
            </span>
            <span>
              {title}, {section.toLowerCase()}{" "}
              <a
                href={url}
                className="break-all text-muted underline underline-offset-4"
              >
                {new URL(url).host}
              </a>
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Marker({ source }: { source: number }) {
  return (
    <a
      href={`#source-${source}`}
      aria-label={`Source ${source}`}
      className="inline-flex min-h-6 min-w-6 items-center justify-center rounded font-mono text-accent text-xs hover:bg-accent-soft"
    >
      [{source}]
    </a>
  );
}
