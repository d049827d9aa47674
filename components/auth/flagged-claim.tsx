import { VERDICT_LABELS } from "@/components/citations/labels";
import { numberDifference } from "@/components/citations/number-difference";
import { QuotedWords } from "@/components/citations/quoted-words";
import { VerdictMark } from "@/components/citations/verdict-mark";
import { serifOnDemand } from "@/components/shell/serif-on-demand";
import { EXAMPLE } from "@/components/site/example";
import { wrapEvenly } from "./wrap-evenly";

/** Fixed line breaks, so that nothing moves when the serif font loads. */
const LINES = 3;

/** What the product does, beside the forms on wide screens: a wrong dose next to the words of its source. */
export function FlaggedClaim() {
  const cited = EXAMPLE.annotations[0]?.url_citation;
  if (!cited?.claim || !cited.quote || !cited.verification) {
    return null;
  }
  const source = EXAMPLE.citations.find(({ id }) => id === cited.citation_id);
  const { name, color, style } = VERDICT_LABELS[cited.verification.verdict];
  return (
    <aside
      aria-label="What Footnote does"
      className={`${serifOnDemand.variable} hidden place-content-center border-l bg-sunken px-12 py-10 lg:grid`}
    >
      <figure className="grid max-w-[26rem] gap-6">
        <p className="whitespace-pre font-serif text-[1.75rem] leading-[1.4]">
          <span className={`underline decoration-2 underline-offset-4 ${style}`}>
            {wrapEvenly(cited.claim.text, LINES)}
          </span>{" "}
          <span className="font-mono text-accent text-sm">[{cited.citation_id}]</span>
        </p>
        <div className="grid gap-2 rounded-lg border border-danger bg-surface p-5 shadow-md">
          <p className={`flex items-center gap-1.5 font-medium text-[0.8125rem] ${color}`}>
            <VerdictMark verdict={cited.verification.verdict} className="size-4" />
            {name}
          </p>
          <blockquote className="whitespace-pre font-serif text-[1.0625rem] leading-7">
            “
            <QuotedWords
              text={wrapEvenly(cited.quote.text, LINES)}
              difference={numberDifference(cited.claim.text, cited.quote.text)}
            />
            ”
          </blockquote>
          <p className="text-muted text-xs">{source?.title}</p>
        </div>
        <figcaption className="text-[0.8125rem] text-muted leading-5">
          A script wrote this answer, with a false dose. Footnote compared it with its source.
        </figcaption>
      </figure>
    </aside>
  );
}
