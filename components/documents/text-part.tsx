import { TriangleAlert } from "lucide-react";
import { memo, useMemo } from "react";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import type { PassageRange, TextWindow } from "@/lib/library/documents/library-schema";
import { formatPages, WARNING_LABELS } from "./labels";
import { MarkedText, wordsRenderer } from "./marked-text";
import { layOutText, type Range, type TextBlock } from "./text-layout";

interface TextPartProps {
  window: TextWindow;
  quote: Range | null;
}

/** One window of a document's text, with markers where passages and pages start. */
export const TextPart = memo(function TextPart({ window, quote }: TextPartProps) {
  const blocks = useMemo(() => layOutText(window, quote), [window, quote]);
  const newPages = useMemo(() => passagesOnNewPages(window), [window]);
  return (
    <div data-part className="grid">
      {blocks.map((block) => (
        <div
          key={block.start}
          className={cn(
            "grid gap-x-4 lg:grid-cols-[6rem_minmax(0,1fr)]",
            block.isContinued ? "pt-1" : "pt-3",
          )}
        >
          <div className="grid content-start gap-1">
            {block.page !== null && (
              <span className="font-medium text-xs leading-6">Page {block.page}</span>
            )}
            {block.begins.map((passage) => (
              <PassageMark
                key={passage.id}
                passage={passage}
                isNewPage={window.pages.length === 0 && newPages.has(passage.id)}
              />
            ))}
          </div>
          <BlockText block={block} quote={quote} />
        </div>
      ))}
    </div>
  );
});

/** The passages that start on another page than the passage before them. */
function passagesOnNewPages({ passages }: TextWindow): Set<string> {
  const isNewPage = ({ page_start }: PassageRange, index: number) =>
    page_start !== (passages[index - 1]?.page_start ?? null);
  return new Set(passages.filter(isNewPage).map(({ id }) => id));
}

function BlockText({ block, quote }: { block: TextBlock; quote: Range | null }) {
  const words = wordsRenderer(block, quote, {
    className:
      "rounded-sm bg-warning-soft box-decoration-clone text-ink underline decoration-warning underline-offset-4",
  });
  return block.kind === "heading" ? (
    <h3 className="max-w-3xl pt-2 font-semibold text-base [overflow-wrap:anywhere]">
      {words(block.segments)}
    </h3>
  ) : (
    <div className="grid min-w-0 max-w-3xl justify-items-start gap-2 text-[0.9375rem] leading-7">
      <MarkedText segments={block.segments} renderWords={words} />
    </div>
  );
}

/** The number of a passage; expands to its details. */
function PassageMark({ passage, isNewPage }: { passage: PassageRange; isNewPage: boolean }) {
  const pages = formatPages(passage.page_start, passage.page_end);
  const range = [passage.char_start, passage.char_end].map((at) => at.toLocaleString("en-US"));
  const facts = [
    { name: "Section", value: passage.headings.join(" › ") },
    { name: "Pages", value: pages },
    { name: "Range", value: `Characters ${range.join("–")}` },
    { name: "Tokens", value: formatCount(passage.tokens, "token") },
  ].filter(({ value }) => value);
  return (
    <details className="group min-w-0 text-muted text-xs leading-6">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-1.5 rounded-sm underline-offset-4 hover:text-ink hover:underline">
        {isNewPage && pages && (
          <span className="font-medium text-ink first-letter:uppercase">{pages}</span>
        )}
        <span className="tabular-nums">
          <span className="sr-only">Passage </span>
          <span aria-hidden>#</span>
          {passage.ordinal + 1}
        </span>
        {passage.warnings.length > 0 && (
          <TriangleAlert aria-label="with a warning" className="size-3.5 text-warning" />
        )}
      </summary>
      <dl className="mb-2 grid gap-0.5 rounded-md bg-sunken p-2 leading-4 [overflow-wrap:anywhere]">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt className="sr-only">{name}</dt>
            <dd className="first-letter:uppercase">{value}</dd>
          </div>
        ))}
        {passage.warnings.length > 0 && (
          <div>
            <dt className="sr-only">Warnings</dt>
            {passage.warnings.map((code) => (
              <dd key={code} className="text-warning">
                It {WARNING_LABELS[code] ?? code}
              </dd>
            ))}
          </div>
        )}
        <div>
          <dt className="sr-only">ID</dt>
          <dd>
            <code className="font-mono">{passage.id}</code>
          </dd>
        </div>
      </dl>
    </details>
  );
}
