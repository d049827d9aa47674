import { Button } from "@/components/ui/button";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { Day, RelativeTime } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import type { Key } from "@/lib/keys/schema";
import { BudgetSummary } from "./budget";
import { KeyName, ModeBadge, ScopesSummary, StatusBadge } from "./key-facts";
import type { ShowDialog } from "./use-dialogs";
import { listKnowledge, sayModels } from "./words";

const COLUMNS = [
  "Key",
  "Mode",
  "Scopes",
  "Knowledge",
  "Models",
  "This month",
  "Last used",
  "Created",
  "Expires",
  "Status",
];
/** Left to the details where the table is narrow. */
const WIDE_ONLY_COLUMNS = ["Models", "Created"];
const WIDE_ONLY = "@max-[70rem]:hidden";

export function KeyTable({ keys, onShow }: { keys: Key[]; onShow: ShowDialog }) {
  return (
    <Table>
      <caption className="sr-only">API keys, newest first</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <ColumnHead
              key={column}
              className={cn(WIDE_ONLY_COLUMNS.includes(column) && WIDE_ONLY)}
            >
              {column}
            </ColumnHead>
          ))}
          <ColumnHead>
            <span className="sr-only">Actions</span>
          </ColumnHead>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} onShow={onShow} />
        ))}
      </tbody>
    </Table>
  );
}

function KeyRow({ apiKey: key, onShow }: { apiKey: Key; onShow: ShowDialog }) {
  return (
    <Row className={cn(key.status !== "usable" && "text-muted")}>
      <Cell className="min-w-42 max-w-56">
        <KeyName apiKey={key} onShow={onShow} />
      </Cell>
      <Cell>
        <ModeBadge mode={key.mode} />
      </Cell>
      <Cell>
        <ScopesSummary apiKey={key} />
      </Cell>
      <Cell>{listKnowledge(key)}</Cell>
      <Cell className={cn("max-w-36 truncate", WIDE_ONLY)}>{sayModels(key)}</Cell>
      <Cell>
        <BudgetSummary apiKey={key} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {key.last_used_at ? <RelativeTime value={key.last_used_at} /> : "Never"}
      </Cell>
      <Cell className={cn("whitespace-nowrap", WIDE_ONLY)}>
        <Day value={key.created_at} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {key.expires_at ? <Day value={key.expires_at} /> : "Never"}
      </Cell>
      <Cell>
        <StatusBadge status={key.status} />
      </Cell>
      <Cell className="pl-0 text-right">
        {key.status !== "revoked" && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Revoke ${key.name}`}
            onClick={() => onShow({ kind: "revoke", id: key.id })}
          >
            Revoke
          </Button>
        )}
      </Cell>
    </Row>
  );
}
