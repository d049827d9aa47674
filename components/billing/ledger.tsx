import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Download, FileText, ReceiptText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { LoadMore } from "@/components/shell/load-more";
import { EmptyState, LoadError, StaleNotice } from "@/components/shell/state";
import { buttonVariants } from "@/components/ui/button";
import { Listbox } from "@/components/ui/listbox";
import { cn } from "@/lib/cn";
import { ledgerQuery } from "@/lib/money/billing/client";
import type { LedgerEntry, LedgerFilter, LedgerPage } from "@/lib/money/billing/schema";
import { foldUsage } from "./fold-usage";
import { LedgerList } from "./ledger-list";

const LEDGER_KINDS: { value: LedgerFilter; name: string }[] = [
  { value: "payments", name: "Payments and credits" },
  { value: "usage", name: "Usage" },
];

/** A choice and the button for it, which stay on one line. */
const TOOLS = "flex min-w-0 items-end gap-2";

interface LedgerProps {
  firstPage: LedgerPage;
  /** Fetched together with the balance. */
  balance: { isRefetchError: boolean; error: Error | null; refetch: () => unknown };
  action: ReactNode;
}

/** What moved the balance, with its filter, download and statements. */
export function Ledger({ firstPage, balance, action }: LedgerProps) {
  const [kind, setKind] = useState<LedgerFilter>();
  const query = useInfiniteQuery({
    ...ledgerQuery(kind),
    placeholderData: keepPreviousData,
    ...(!kind && { initialData: { pages: [firstPage], pageParams: [null] } }),
  });
  const entries = query.data?.pages.flatMap((page) => page.data) ?? [];
  const refetch = () => void Promise.all([query.refetch(), balance.refetch()]);
  return (
    <section aria-labelledby="ledger" className="grid gap-3">
      <div className="flex flex-wrap items-end gap-x-5 gap-y-2">
        <h2 id="ledger" className="mr-auto self-center font-medium text-base max-lg:w-full">
          Ledger
        </h2>
        {firstPage.data.length > 0 && (
          <>
            <div className={TOOLS}>
              <Listbox
                label="Show"
                all="All entries"
                value={kind ?? ""}
                onChange={(next) =>
                  setKind(LEDGER_KINDS.find(({ value }) => value === next)?.value)
                }
                options={LEDGER_KINDS}
                className="w-48"
              />
              <a
                href={`/api/billing/ledger/export${kind ? `?kind=${kind}` : ""}`}
                download
                className={cn(buttonVariants(), "h-9")}
              >
                <Download aria-hidden />
                Export CSV
              </a>
            </div>
            <Statements />
          </>
        )}
      </div>
      <StaleNotice
        title="Your balance and ledger may be out of date."
        query={{
          isRefetchError: query.isRefetchError || balance.isRefetchError,
          isRefetching: query.isRefetching,
          error: query.error ?? balance.error,
          refetch,
        }}
      />
      {query.isLoadingError ? (
        <LoadError title="We couldn’t load these entries" query={query} />
      ) : (
        <Entries
          entries={entries}
          isFiltered={kind !== undefined}
          isBusy={query.isPlaceholderData}
          action={action}
        />
      )}
      <LoadMore
        query={query}
        noun={{ one: "entry", many: "entries" }}
        count={foldUsage(entries).length}
      />
    </section>
  );
}

interface EntriesProps extends Pick<LedgerProps, "action"> {
  entries: LedgerEntry[];
  isFiltered: boolean;
  isBusy: boolean;
}

function Entries({ entries, isFiltered, isBusy, action }: EntriesProps) {
  return entries.length > 0 ? (
    <div aria-busy={isBusy} className="aria-busy:opacity-60">
      <LedgerList entries={entries} />
    </div>
  ) : (
    <EmptyState
      icon={ReceiptText}
      title={isFiltered ? "No entries of this kind" : "No entries yet"}
      description="Top-ups, charges and refunds appear here."
      action={action}
    />
  );
}

const MONTHS = 12;
const monthName = new Intl.DateTimeFormat("en-US", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** The last months as PDF, the running one first. */
function Statements() {
  const [month, setMonth] = useState(0);
  const now = new Date();
  const months = Array.from(
    { length: MONTHS },
    (_, back) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)),
  );
  const chosen = months[month]?.toISOString().slice(0, 7) ?? "";
  return (
    <div className={TOOLS}>
      <Listbox
        label="Statement (UTC)"
        value={String(month)}
        onChange={(value) => setMonth(Number(value))}
        options={months.map((each, back) => ({
          value: String(back),
          name: monthName.format(each),
        }))}
        className="w-44"
      />
      <a
        href={`/api/billing/statement?month=${chosen}`}
        download
        className={cn(buttonVariants(), "h-9")}
      >
        <FileText aria-hidden />
        Download PDF
      </a>
    </div>
  );
}
