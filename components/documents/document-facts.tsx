import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { CopyButton } from "@/components/ui/copy-button";
import { Day, ExactTime } from "@/components/ui/time";
import { formatUsd } from "@/components/ui/usd";
import { formatCount } from "@/lib/format-count";
import type { OpenDocument } from "@/lib/library/documents/library-schema";
import { Fact } from "./fact";
import { formatFormat, formatSize, SCOPE_LABELS, WARNING_LABELS } from "./labels";

function formatOf({ status, media_type }: OpenDocument["document"]): string {
  const unread = status === "failed" ? "Not read" : "Not read yet";
  return formatFormat(media_type) ?? unread;
}

/** Everything about a document except its text. */
export function DocumentFacts({ opened }: { opened: OpenDocument }) {
  const { document } = opened;
  const { metadata, url } = document;
  const format = formatOf(document);
  return (
    <section aria-labelledby="facts" className="grid gap-3 rounded-lg border bg-surface p-4">
      <h2 id="facts" className="sr-only">
        Details
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-4">
        <Fact name="Who can read it" note={SCOPE_LABELS[document.scope].about}>
          {SCOPE_LABELS[document.scope].name}
        </Fact>
        <Fact
          name="File"
          note={[document.file_name && format, formatSize(document.size_bytes)]
            .filter(Boolean)
            .join(", ")}
        >
          {document.file_name ?? format}
          {document.has_original && (
            <>
              {" · "}
              <a
                href={`/api/documents/${encodeURIComponent(document.id)}/content`}
                download
                className="rounded-sm text-accent underline underline-offset-4"
              >
                Download
              </a>
            </>
          )}
        </Fact>
        <Extent opened={opened} />
        <Fact name="Cited" note="Last 30 days">
          {opened.cited_in === 0 ? "Not yet" : `In ${formatCount(opened.cited_in, "answer")}`}
        </Fact>
        <Fact name="Cost">
          {opened.charge && (
            <Link
              href={`/usage/${opened.charge.request_id}`}
              className="rounded-sm text-accent underline underline-offset-4"
            >
              {formatUsd(opened.charge.cost_usd)}
            </Link>
          )}
        </Fact>
        <Fact name="Added">
          <ExactTime value={document.created_at} />
        </Fact>
        <Fact name="Updated">
          {document.updated_at !== document.created_at && <ExactTime value={document.updated_at} />}
        </Fact>
        {/* A document that was replaced here has its own id as the external one. */}
        <Fact name="External ID">
          {document.external_id !== document.id && document.external_id}
        </Fact>
        <Fact name="Source type">
          {document.source_type !== "document" && document.source_type}
        </Fact>
        <Fact name="Published">
          {document.published_at && <Day value={document.published_at} />}
        </Fact>
        <Fact name="URL" className="col-span-2">
          {url && /^https?:/.test(url) ? (
            <a
              href={url}
              rel="noreferrer"
              target="_blank"
              className="rounded-sm text-accent underline underline-offset-4"
            >
              {url}
            </a>
          ) : (
            url
          )}
        </Fact>
        <Fact name="ID" className="col-span-2">
          <span className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-xs">{document.id}</code>
            <CopyButton text={document.id} label="Copy ID" />
          </span>
        </Fact>
      </dl>
      {Object.keys(metadata).length > 0 && (
        <details className="border-t pt-3">
          <summary className="rounded-sm text-muted hover:text-ink">Metadata</summary>
          <pre className="mt-2 whitespace-pre-wrap rounded-md bg-sunken p-3 font-mono text-xs [overflow-wrap:anywhere]">
            {JSON.stringify(metadata, null, 2)}
          </pre>
        </details>
      )}
    </section>
  );
}

function Extent({ opened: { document, report, tokens, last_page } }: { opened: OpenDocument }) {
  const pages = report?.pages ?? last_page;
  const empty = report?.empty_pages ?? 0;
  const embedded = report?.embedded_chunks;
  const note = [
    formatCount(tokens, "token"),
    embedded !== undefined && `${formatCount(embedded, "passage")} embedded so far`,
    empty > 0 && `${formatCount(empty, "page")} without text`,
  ];
  return (
    <Fact name="Text" note={note.filter(Boolean).join(", ")}>
      {formatCount(document.chunks, "passage")}
      {pages !== null && `, ${formatCount(pages, "page")}`}
    </Fact>
  );
}

/** What to know before relying on the text. */
export function DocumentWarnings({ opened: { report, warnings } }: { opened: OpenDocument }) {
  const reported = new Set(report?.warnings.map(({ code }) => code));
  const others = warnings.filter(({ code }) => !reported.has(code));
  if (reported.size === 0 && others.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="warnings" className="grid gap-2 rounded-lg bg-warning-soft px-4 py-3">
      <h2 id="warnings" className="flex items-center gap-2 font-medium">
        <TriangleAlert aria-hidden className="size-4 text-warning" />
        Check before you rely on this document
      </h2>
      <ul className="grid gap-1">
        {report?.warnings.map(({ code, message }) => (
          <li key={code}>{message}</li>
        ))}
        {others.map(({ code, passages }) => (
          <li key={code}>
            {formatCount(passages, "passage")}: each {WARNING_LABELS[code] ?? code}.
          </li>
        ))}
      </ul>
    </section>
  );
}
