import { lazy, Suspense } from "react";
import { placesOf } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { LoggedRequest } from "@/lib/money/usage/schema";
import { RequestRow, rowGrid } from "./request-row";

// Only lists that grew by loading more.
const VirtualRows = lazy(async () => ({ default: (await import("./virtual-rows")).VirtualRows }));

/** Lists longer than this render only the rows near the window. */
const MANY = 100;

const COLUMNS = [
  { name: "Time" },
  { name: "Request" },
  { name: "Key" },
  { name: "Status" },
  { name: "Tokens", isNumber: true },
  { name: "Latency", isNumber: true },
  { name: "Cost", isNumber: true },
];

interface RequestTableProps {
  requests: LoggedRequest[];
  /** Leaves out the key, which is the page's subject. */
  isOfOneKey?: boolean;
}

/**
 * Requests, newest first. One table at every width: narrow rows are laid out as cards, and it
 * stays a table to assistive technology.
 */
export function RequestTable({ requests, isOfOneKey = false }: RequestTableProps) {
  const places = placesOf(requests.map(({ cost_usd }) => cost_usd));
  const isLong = requests.length > MANY;
  const rows = (
    <tbody className="block">
      {requests.map((request) => (
        <RequestRow key={request.id} {...{ request, places, isOfOneKey }} />
      ))}
    </tbody>
  );
  return (
    <div className="@container">
      <div className="overflow-clip rounded-lg border bg-surface">
        <table className="block text-left" aria-rowcount={isLong ? requests.length + 1 : undefined}>
          <caption className="sr-only">Requests, newest first</caption>
          <thead className="sr-only @min-[54rem]:not-sr-only @min-[54rem]:sticky! @min-[54rem]:top-12 @min-[54rem]:z-20 @min-[54rem]:block @min-[54rem]:bg-surface">
            <tr
              className={cn("@min-[54rem]:grid items-center border-b px-3.5", rowGrid(isOfOneKey))}
            >
              {COLUMNS.filter(({ name }) => name !== "Key" || !isOfOneKey).map(
                ({ name, isNumber }) => (
                  <th
                    key={name}
                    scope="col"
                    className={cn(
                      "py-2.5 font-medium text-muted text-xs",
                      isNumber && "text-right",
                    )}
                  >
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          {isLong ? (
            <Suspense fallback={rows}>
              <VirtualRows {...{ requests, places, isOfOneKey }} />
            </Suspense>
          ) : (
            rows
          )}
        </table>
      </div>
    </div>
  );
}
