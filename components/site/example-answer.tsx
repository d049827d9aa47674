import { CitedAnswer } from "@/components/citations/cited-answer";
import { Badge } from "@/components/ui/badge";
import type { Citation, UrlCitation, Verification } from "@/lib/citations/schema";
import example from "./example.json" with { type: "json" };

/** An unedited API response from the sample knowledge base. */
export const EXAMPLE = example as {
  question: string;
  content: string;
  annotations: UrlCitation[];
  verification: Verification;
  citations: Citation[];
};

/** A real API answer from the sample knowledge base, with working citations. */
export function ExampleAnswer() {
  const { question, verification } = EXAMPLE;
  return (
    <figure className="grid min-w-0 gap-4 rounded-lg border bg-surface p-5">
      <figcaption className="flex items-center justify-between gap-3">
        <h2 className="font-medium text-base">A cited answer</h2>
        <Badge tone="neutral">Example</Badge>
      </figcaption>
      <p className="justify-self-end rounded-lg bg-sunken px-3 py-2">{question}</p>
      <CitedAnswer {...EXAMPLE} isPlain />
      <p className="text-muted text-xs leading-5">
        Hover over a citation, or Tab to it, to see the source, the quoted words and the verdict.
      </p>
      <div className="grid gap-2 border-t pt-4 text-xs leading-5">
        <p className="text-muted">
          {verification.cited} of {verification.sentences} sentences cited, {verification.supported}{" "}
          supported by their source
        </p>
        <ol className="grid gap-1">
          {example.citations.map(({ id, title, metadata: { section, url } }) => (
            <li key={id} className="flex gap-2.5">
              <span className="font-mono text-accent">[{id}]</span>
              <span className="min-w-0 break-words">
                {section}{" "}
                <a
                  href={url}
                  aria-label={`${title} at ${new URL(url).host}`}
                  className="whitespace-nowrap text-muted underline underline-offset-4"
                >
                  {new URL(url).host}
                </a>
              </span>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  );
}
