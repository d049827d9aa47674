import { Badge } from "@/components/ui/badge";

const QUESTION = "May somebody with weak kidneys take metformin?";

const ANSWER: { text: string; source: number }[] = [
  {
    text: "Metformin is contraindicated when the estimated glomerular filtration rate (eGFR) is below 30 mL/min/1.73 m².",
    source: 1,
  },
  {
    text: "The eGFR should be checked before metformin is started and at least once a year afterward.",
    source: 1,
  },
  {
    text: "The eGFR is calculated from creatinine, age and sex and is reported in mL/min/1.73 m².",
    source: 2,
  },
];

const SOURCES = [
  {
    id: 1,
    title: "Metformin",
    url: "https://medlineplus.gov/druginfo/meds/a696005.html",
  },
  {
    id: 2,
    title: "Kidney function tests",
    url: "https://medlineplus.gov/kidneytests.html",
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
      <p className="justify-self-end rounded-lg bg-sunken px-3 py-2">{QUESTION}</p>
      <p className="leading-6">
        {ANSWER.map(({ text, source }) => (
          <span key={text}>
            {text} <Marker source={source} />{" "}
          </span>
        ))}
      </p>
      <ol className="grid gap-2 border-t pt-4">
        {SOURCES.map(({ id, title, url }) => (
          <li
            key={id}
            id={`source-${id}`}
            className="flex gap-3 rounded-md px-2 py-1.5 target:bg-accent-soft"
          >
            <span className="font-mono text-accent text-xs leading-5">[{id}]</span>
            <span>
              {title}{" "}
              <a href={url} className="whitespace-nowrap text-muted underline underline-offset-4">
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
