"use client";

import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { AlertMark } from "@/components/ui/form-error";
import { Menu } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/time";
import { useVirtualRows } from "@/components/ui/use-virtual-rows";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import { useCancelJob } from "@/lib/library/documents/client";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import { FormatIcon } from "./format-icon";
import { ProgressBar, useJob } from "./job-progress";
import { formatFormat, formatSize, formatStage, SCOPE_LABELS, STATUS_LABELS } from "./labels";
import { StandingBadge } from "./standing-badge";
import type { Selection } from "./use-selection";

/** Shorter lists are rendered whole, on the server too, so that the browser can search them. */
const PLAIN_ROWS = 100;
const ROW_PX = 65;
/** In a narrow list, the columns become lines below the title. */
const COLUMNS =
  "@min-[52rem]:grid @min-[52rem]:grid-cols-[1.5rem_minmax(0,1fr)_6rem_11rem_6rem_7rem_2.5rem] items-center gap-x-4";

interface DocumentListProps {
  documents: ListedDocument[];
  hasMore: boolean;
  onShow: (dialog: "delete" | "stores", document: ListedDocument) => void;
  selection: Selection;
}

/** Documents in rows. A long list renders only the rows near the window. */
export function DocumentList({ documents, hasMore, onShow, selection }: DocumentListProps) {
  const row = (index: number, props: object = {}) => {
    const document = documents[index];
    return (
      document && (
        <DocumentRow
          key={document.id}
          document={document}
          onShow={onShow}
          selection={selection}
          aria-posinset={index + 1}
          aria-setsize={hasMore ? -1 : documents.length}
          {...props}
        />
      )
    );
  };
  return (
    <div className="@container overflow-clip rounded-lg border bg-surface">
      {/* The names of columns are hidden from assistive technology, because each row labels its own parts. */}
      <div
        className={cn(
          "sticky top-12 z-10 flex h-9 items-center gap-3 border-b bg-surface px-3.5 font-medium text-muted text-xs [&>span]:@max-[52rem]:hidden",
          COLUMNS,
        )}
      >
        <SelectAll documents={documents} selection={selection} />
        <span aria-hidden>Document</span>
        <span aria-hidden>Scope</span>
        <span aria-hidden>Status</span>
        <span aria-hidden className="text-right">
          Passages
        </span>
        <span aria-hidden>Added</span>
      </div>
      {documents.length > PLAIN_ROWS ? (
        <VirtualRows documents={documents} row={row} />
      ) : (
        <ul aria-label="Documents" className="divide-y">
          {documents.map((_, index) => row(index))}
        </ul>
      )}
    </div>
  );
}

function SelectAll({ documents, selection }: Pick<DocumentListProps, "documents" | "selection">) {
  const isAll = documents.every(({ id }) => selection.has(id));
  const isSome = !isAll && documents.some(({ id }) => selection.has(id));
  return (
    <label className="flex min-h-6 items-center gap-2 @min-[52rem]:w-6 @min-[52rem]:justify-center">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        aria-label="Select all loaded documents"
        checked={isAll}
        ref={(box) => {
          if (box) {
            box.indeterminate = isSome;
          }
        }}
        onChange={() => selection.setAll(isAll ? [] : documents.map(({ id }) => id))}
      />
      <span aria-hidden className="@min-[52rem]:hidden">
        Select all
      </span>
    </label>
  );
}

interface VirtualRowsProps {
  documents: ListedDocument[];
  row: (index: number, props: object) => ReactNode;
}

function VirtualRows({ documents, row }: VirtualRowsProps) {
  const { listProps, rows } = useVirtualRows<HTMLUListElement>({
    count: documents.length,
    rowHeight: ROW_PX,
    keyOf: (index) => documents[index]?.id,
  });
  return (
    <ul {...listProps} aria-label="Documents" className="relative">
      {rows.map(({ index, props }) => row(index, props))}
    </ul>
  );
}

interface DocumentRowProps extends ComponentProps<"li"> {
  document: ListedDocument;
  onShow: (dialog: "delete" | "stores", document: ListedDocument) => void;
  selection: Selection;
}

function DocumentRow({ document, onShow, selection, ...props }: DocumentRowProps) {
  const { id, title, chunks, source_type } = document;
  const kind = [
    document.file_name,
    formatFormat(document.media_type),
    formatSize(document.size_bytes),
    source_type !== "document" && source_type,
  ];
  return (
    <li
      {...props}
      className={cn(
        "@max-[52rem]:grid @min-[52rem]:min-h-16 @max-[52rem]:grid-cols-[1.5rem_minmax(0,1fr)_auto] @max-[52rem]:gap-x-3 gap-y-1.5 border-b px-3.5 py-2.5 last:border-b-0 hover:bg-sunken/50",
        COLUMNS,
      )}
    >
      <label className="grid size-6 place-items-center">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          aria-label={`Select ${title}`}
          checked={selection.has(id)}
          onChange={() => selection.toggle(id)}
        />
      </label>
      <div className="flex min-w-0 items-center gap-3">
        <FormatIcon mediaType={document.media_type} name={document.file_name} />
        <span className="grid min-w-0">
          <span className="flex min-w-0 items-center gap-2">
            <Link
              href={`/documents/${id}`}
              className="truncate rounded-sm font-medium underline-offset-4 hover:underline"
              title={title}
            >
              {title}
            </Link>
            <StandingBadge standing={document.standing} />
          </span>
          <span className="truncate text-muted text-xs" title={document.file_name ?? undefined}>
            {kind.filter(Boolean).join(" · ")}
          </span>
        </span>
      </div>
      {/* In line with the title, which is beside an icon. */}
      <div className="@max-[52rem]:order-1 @max-[52rem]:col-span-2 @max-[52rem]:col-start-2 @min-[52rem]:contents @max-[52rem]:flex @max-[52rem]:flex-wrap @max-[52rem]:gap-x-3 @max-[52rem]:gap-y-1 @max-[52rem]:pl-11">
        <Fact name="Scope">{SCOPE_LABELS[document.scope].name}</Fact>
        <div className="@max-[52rem]:-order-1 @max-[52rem]:has-data-ready:sr-only @max-[52rem]:text-xs @max-[52rem]:has-[p,progress]:w-full">
          <JobState document={document} />
        </div>
        <Fact name="Passages" className="@min-[52rem]:text-right tabular-nums">
          {chunks.toLocaleString("en-US")}
          <span className="@min-[52rem]:hidden">{chunks === 1 ? " passage" : " passages"}</span>
        </Fact>
        <Fact name="Added" className="whitespace-nowrap text-muted">
          <RelativeTime value={document.created_at} />
        </Fact>
      </div>
      <div className="flex justify-end">
        <Menu
          label={`Actions for ${title}`}
          items={[
            { name: "Vector stores…", onSelect: () => onShow("stores", document) },
            {
              name: "Delete…",
              isDestructive: true,
              onSelect: () => onShow("delete", document),
            },
          ]}
        />
      </div>
    </li>
  );
}

interface FactProps {
  name: string;
  className?: string;
  children: ReactNode;
}

function Fact({ name, className, children }: FactProps) {
  return (
    <span className={cn("@max-[52rem]:text-xs", className)}>
      <span className="sr-only">{name}: </span>
      {children}
    </span>
  );
}

function JobState({ document }: { document: ListedDocument }) {
  const job = useJob(document.job);
  const cancellation = useCancelJob();
  const status = job?.status ?? document.status;
  const open = job && (status === "queued" || status === "processing") ? job : null;
  return (
    <div className="grid gap-1">
      <span className="flex items-center gap-1.5">
        <span className="sr-only">Status: </span>
        <Status status={status} warnings={job?.warnings ?? 0} />
        {open && (
          <Button
            size="sm"
            variant="ghost"
            isPending={cancellation.isPending}
            onClick={() => cancellation.mutate(open.id)}
          >
            Cancel<span className="sr-only"> {document.title}</span>
          </Button>
        )}
      </span>
      {open && (
        <>
          <ProgressBar label={`${document.title}: ${formatStage(open)}`} part={open.progress} />
          <p className="text-muted text-xs">{formatStage(open)}</p>
        </>
      )}
      {status === "failed" && job?.error && (
        <p className="@min-[52rem]:line-clamp-2 text-xs" title={job.error.message}>
          {job.error.message}
        </p>
      )}
      {cancellation.error && (
        <p role="alert" className="flex gap-2 text-xs">
          <AlertMark />
          {cancellation.error.message}
        </p>
      )}
    </div>
  );
}

/** Plain text for documents that are ready, which are most, and not even seen where there is little room; a badge for the others. */
function Status({ status, warnings }: Pick<ListedDocument, "status"> & { warnings: number }) {
  const { name, tone } = STATUS_LABELS[status];
  if (status === "completed" && warnings > 0) {
    return <Badge tone="warning">{`Ready, ${formatCount(warnings, "warning")}`}</Badge>;
  }
  return status === "completed" ? (
    <span data-ready className="text-muted">
      {name}
    </span>
  ) : (
    <Badge tone={tone}>{name}</Badge>
  );
}
