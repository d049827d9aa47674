import { useVirtualRows } from "@/components/ui/use-virtual-rows";
import type { LoggedRequest } from "@/lib/money/usage/schema";
import { RequestRow } from "./request-row";

/** The height of a row on one line, used before it is measured. */
const ROW_HEIGHT = 42;

interface VirtualRowsProps {
  requests: LoggedRequest[];
  places: number;
  isOfOneKey: boolean;
}

/** Rows of a long log, rendered near the window only. */
export function VirtualRows({ requests, ...columns }: VirtualRowsProps) {
  const { listProps, rows } = useVirtualRows<HTMLTableSectionElement>({
    count: requests.length,
    rowHeight: ROW_HEIGHT,
    keyOf: (index) => requests[index]?.id,
  });
  return (
    <tbody {...listProps} className="relative block">
      {rows.map(({ index, props }) => {
        const request = requests[index];
        return (
          request && <RequestRow key={request.id} request={request} {...columns} row={props} />
        );
      })}
    </tbody>
  );
}
