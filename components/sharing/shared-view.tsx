import { SourceTitle, StandingNote } from "@/components/documents/public-source";
import { QuotedCells } from "@/components/ui/quoted-cells";
import { Moment } from "@/components/ui/time";
import { Answers } from "@/components/usage/stored-answer";
import type { SharedView } from "@/lib/answers/sharing/read";

/** What a shared link opens, for a reader without an account. */
export function SharedPage({ view }: { view: SharedView }) {
  return view.kind === "answer" ? <SharedAnswer {...view} /> : <SharedQuote {...view} />;
}

function SharedAnswer({ stored }: Extract<SharedView, { kind: "answer" }>) {
  const question = stored.messages.findLast(({ role }) => role === "user")?.content;
  return (
    <article className="mx-auto grid max-w-4xl gap-6 px-4 py-10 sm:px-6 sm:py-14 print:py-0">
      <header className="grid gap-3 border-b pb-6">
        <p className="text-[0.8125rem] text-muted">Shared answer with its evidence</p>
        <h1 className="whitespace-pre-wrap text-balance font-medium font-serif text-3xl leading-tight tracking-[-0.02em] [overflow-wrap:anywhere] sm:text-4xl">
          {question ?? "A question without text"}
        </h1>
        <p className="text-muted text-xs">
          Answered by <code className="font-mono">{stored.completion.model}</code> and stored{" "}
          <Moment value={stored.stored_at} />. It can’t be changed. Verdicts compare each claim with
          the source it cites; they aren’t medical advice.
        </p>
      </header>
      <Answers stored={stored} isShared />
    </article>
  );
}

function SharedQuote({ document, quote }: Extract<SharedView, { kind: "quote" }>) {
  const place = [quote.page !== null && `Page ${quote.page}`, quote.section].filter(Boolean);
  return (
    <article className="mx-auto grid max-w-3xl gap-6 px-4 py-10 sm:px-6 sm:py-16 print:py-0">
      <header className="grid gap-3 border-b pb-6">
        <SourceTitle kind="Shared quote" document={document} />
        <p className="text-muted empty:hidden">{place.join(", ")}</p>
      </header>
      <StandingNote standing={document.standing} />
      {quote.text === null ? (
        <p role="note" className="rounded-lg bg-warning-soft px-4 py-3">
          The document has changed and no longer contains this quote.
        </p>
      ) : quote.cells ? (
        <QuotedCells cells={quote.cells} />
      ) : (
        <blockquote className="whitespace-pre-line border-warning border-l-4 pl-5 font-serif text-[1.25rem] leading-[1.7] [overflow-wrap:anywhere]">
          {quote.text}
        </blockquote>
      )}
      <p className="text-muted text-xs">
        Only these words of the document are shared. They’re checked against its current text each
        time this page opens.
      </p>
    </article>
  );
}
