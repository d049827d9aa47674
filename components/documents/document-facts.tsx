import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Day, ExactTime } from "@/components/ui/time";
import type { OpenDocument } from "@/lib/documents/library-schema";
import { formatCount, formatFormat, formatSize, SCOPE_LABELS, WARNING_LABELS } from "./labels";

/** All that is known of a document besides its text. */
export function DocumentFacts({ opened }: { opened: OpenDocument }) {
  const { document } = opened;
  const isWebPage = document.url !== null && /^https?:/.test(document.url);
  return (
    <section aria-labelledby="facts" className="grid gap-3 rounded-lg border bg-surface p-4">
      <h2 id="facts" className="sr-only">
        Facts
      </h2>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-4">
        <Fact name="Who may read it">
          {SCOPE_LABELS[document.scope].name}
          <Note>{SCOPE_LABELS[document.scope].about}</Note>
        </Fact>
        <Fact name="File">
          {formatFormat(document.media_type) ?? "Not read yet"}
          <Note>{formatSize(document.size_bytes)}</Note>
        </Fact>
        <Fact name="Text">
          <Extent opened={opened} />
        </Fact>
        <Fact name="Added">
          <ExactTime value={document.created_at} />
        </Fact>
        {document.source_type !== "document" && (
          <Fact name="Kind of source">{document.source_type}</Fact>
        )}
        {document.published_at && (
          <Fact name="Published">
            <Day value={document.published_at} />
          </Fact>
        )}
        {document.url && (
          <Fact name="Address" className="col-span-2">
            {isWebPage ? (
              <a
                href={document.url}
                rel="noreferrer"
                target="_blank"
                className="rounded-sm text-accent underline underline-offset-4"
              >
                {document.url}
              </a>
            ) : (
              document.url
            )}
          </Fact>
        )}
        <Fact name="Id" className="col-span-2">
          <span className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-xs">{document.id}</code>
            <CopyButton text={document.id} label="Copy id" />
          </span>
        </Fact>
      </dl>
      <OwnData metadata={document.metadata} />
    </section>
  );
}

function Extent({ opened: { document, report, tokens, last_page } }: { opened: OpenDocument }) {
  const pages = report?.pages ?? last_page;
  const empty = report?.empty_pages ?? 0;
  return (
    <>
      {formatCount(document.chunks, "passage")}
      {pages !== null && `, ${formatCount(pages, "page")}`}
      <Note>
        {formatCount(tokens, "token")}
        {empty > 0 && `, ${formatCount(empty, "page")} without text`}
      </Note>
    </>
  );
}

function OwnData({ metadata }: Pick<OpenDocument["document"], "metadata">) {
  if (Object.keys(metadata).length === 0) {
    return null;
  }
  return (
    <details className="border-t pt-3">
      <summary className="rounded-sm text-muted hover:text-ink">Its uploader's own data</summary>
      <pre className="mt-2 whitespace-pre-wrap rounded-md bg-sunken p-3 font-mono text-xs [overflow-wrap:anywhere]">
        {JSON.stringify(metadata, null, 2)}
      </pre>
    </details>
  );
}

interface FactProps {
  name: string;
  className?: string;
  children: ReactNode;
}

function Fact({ name, className, children }: FactProps) {
  return (
    <div className={className}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <span className="block text-muted text-xs">{children}</span>;
}

/** What a reader should know before relying on the text. */
export function DocumentWarnings({ opened: { report, warnings } }: { opened: OpenDocument }) {
  const told = new Set(report?.warnings.map(({ code }) => code));
  const others = warnings.filter(({ code }) => !told.has(code));
  if (!report?.warnings.length && others.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="warnings" className="grid gap-2 rounded-lg bg-warning-soft px-4 py-3">
      <h2 id="warnings" className="flex items-center gap-2 font-medium">
        <TriangleAlert aria-hidden className="size-4 text-warning" />
        Before you rely on it
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
