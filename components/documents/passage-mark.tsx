import { TriangleAlert } from "lucide-react";
import type { PassageRange } from "@/lib/documents/library-schema";
import { formatCount, formatPages, WARNING_LABELS } from "./labels";

interface PassageMarkProps {
  passage: PassageRange;
  /** Whether the passage before it stands on another page. */
  isNewPage: boolean;
}

/** Where a passage begins; opened, its range and what is known of it. */
export function PassageMark({ passage, isNewPage }: PassageMarkProps) {
  const pages = formatPages(passage.page_start, passage.page_end);
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
        {passage.headings.length > 0 && (
          <>
            <dt className="sr-only">Section</dt>
            <dd>{passage.headings.join(" › ")}</dd>
          </>
        )}
        {pages && (
          <>
            <dt className="sr-only">Pages</dt>
            <dd className="first-letter:uppercase">{pages}</dd>
          </>
        )}
        <dt className="sr-only">Characters</dt>
        <dd>
          Characters {passage.char_start.toLocaleString("en-US")}–
          {passage.char_end.toLocaleString("en-US")}
        </dd>
        <dt className="sr-only">Tokens</dt>
        <dd>{formatCount(passage.tokens, "token")}</dd>
        {passage.warnings.map((code) => (
          <dd key={code} className="text-warning">
            It {WARNING_LABELS[code] ?? code}
          </dd>
        ))}
        <dt className="sr-only">Id</dt>
        <dd>
          <code className="font-mono">{passage.id}</code>
        </dd>
      </dl>
    </details>
  );
}
