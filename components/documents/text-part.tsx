import { memo, useMemo } from "react";
import { cn } from "@/lib/cn";
import type { PassageRange, TextWindow } from "@/lib/documents/library-schema";
import { PassageMark } from "./passage-mark";
import { QUOTE_ID } from "./quote-notice";
import { layOutText, type Range, type Stretch, type TextBlock } from "./text-layout";

interface TextPartProps {
  window: TextWindow;
  quote: Range | null;
}

/** A part of a document's text: its headings and paragraphs, and where passages and pages begin. */
export const TextPart = memo(function TextPart({ window, quote }: TextPartProps) {
  const blocks = useMemo(() => layOutText(window, quote), [window, quote]);
  const pageOf = useMemo(() => pagesBefore(window), [window]);
  return (
    <div data-part className="grid">
      {blocks.map((block) => (
        <div
          key={block.start}
          className={cn(
            "grid gap-x-6 lg:grid-cols-[8rem_minmax(0,1fr)]",
            block.isContinued ? "pt-1" : "pt-3",
          )}
        >
          <div className="grid content-start gap-1">
            {block.begins.map((passage) => (
              <PassageMark
                key={passage.id}
                passage={passage}
                isNewPage={passage.page_start !== (pageOf.get(passage.id) ?? null)}
              />
            ))}
          </div>
          <Words block={block} quoteStart={quote?.start ?? -1} />
        </div>
      ))}
    </div>
  );
});

/** The page of the passage before each passage: what tells where one begins. */
function pagesBefore({ passages }: TextWindow): Map<string, number | null> {
  return new Map(
    passages.map((passage, index): [string, PassageRange["page_start"]] => [
      passage.id,
      passages[index - 1]?.page_start ?? null,
    ]),
  );
}

function Words({ block, quoteStart }: { block: TextBlock; quoteStart: number }) {
  const words = block.stretches.map((stretch) => (
    <Part key={stretch.start} stretch={stretch} isFirst={stretch.start === quoteStart} />
  ));
  return block.kind === "heading" ? (
    <h3 className="max-w-prose pt-2 font-semibold text-base [overflow-wrap:anywhere]">{words}</h3>
  ) : (
    <p className="max-w-prose whitespace-pre-line leading-6 [overflow-wrap:anywhere]">{words}</p>
  );
}

function Part({ stretch, isFirst }: { stretch: Stretch; isFirst: boolean }) {
  if (!stretch.isQuoted) {
    return stretch.text;
  }
  return (
    <mark
      id={isFirst ? QUOTE_ID : undefined}
      tabIndex={isFirst ? -1 : undefined}
      className="rounded-sm bg-warning-soft box-decoration-clone text-ink underline decoration-warning underline-offset-4"
    >
      {stretch.text}
    </mark>
  );
}
