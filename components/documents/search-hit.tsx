import { ArrowUpRight } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { quoteRefOf } from "@/lib/documents/quote-ref";
import type { SearchResult } from "@/lib/retrieval/schema";
import { formatPages, SCOPE_LABELS } from "./labels";
import { SearchReasons } from "./search-reasons";

type Hit = SearchResult["data"][number];

/** A passage that was found, why, and the way to where it stands. */
export function SearchHit({ hit, place }: { hit: Hit; place: number }) {
  const { explain } = hit;
  return (
    <li className="grid gap-3 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
          <h2 className="min-w-0 font-medium">
            <span className="mr-1.5 text-muted tabular-nums">{place}.</span>
            <Link
              href={addressOf(hit)}
              className="rounded-sm underline decoration-line underline-offset-4 hover:decoration-ink"
            >
              {hit.title}
              <ArrowUpRight aria-hidden className="ml-0.5 inline size-3.5 text-muted" />
            </Link>
          </h2>
          <p className="break-words text-muted text-xs first-letter:uppercase">
            {formatPlace(hit)}
          </p>
        </div>
        <Badge tone="neutral">{SCOPE_LABELS[hit.scope].name}</Badge>
      </div>
      <p className="line-clamp-4 max-w-prose break-words">{hit.text}</p>
      {explain && <SearchReasons reasons={explain} similarity={hit.similarity} />}
    </li>
  );
}

/** The document in the console, opened at these words. */
function addressOf({ document_id, text, metadata }: Hit): string {
  const { char_start: start, char_end: end } = metadata;
  const path = `/documents/${encodeURIComponent(document_id)}`;
  return typeof start === "number" && typeof end === "number"
    ? `${path}?quote=${quoteRefOf({ text, start, end })}`
    : path;
}

function formatPlace({ source_type, metadata }: Hit): string {
  const { page, page_end, section } = metadata;
  const pages = formatPages(
    typeof page === "number" ? page : null,
    typeof page_end === "number" ? page_end : null,
  );
  return [pages, typeof section === "string" && section, source_type !== "document" && source_type]
    .filter(Boolean)
    .join(" · ");
}
