import { Button } from "@/components/ui/button";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { Day, RelativeTime } from "@/components/ui/time";
import { cn } from "@/lib/cn";
import type { Key } from "@/lib/keys/schema";
import { BudgetSummary } from "./budget";
import { KeyName, ModeBadge, ScopesSummary, StatusBadge } from "./key-facts";
import { actionsOf, formatModels, listKnowledge } from "./labels";
import type { ShowDialog } from "./use-dialogs";

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
const WIDE = "@max-[70rem]:hidden";
const WIDEST = "@max-[76rem]:hidden";
const ROOM: Record<string, string> = { Created: WIDE, Models: WIDEST };

export function KeyTable({ keys, onShow }: { keys: Key[]; onShow: ShowDialog }) {
  return (
    <Table>
      <caption className="sr-only">API keys, newest first</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <ColumnHead key={column} className={ROOM[column]}>
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
      <Cell className={cn("max-w-36 truncate", WIDEST)}>{formatModels(key)}</Cell>
      <Cell>
        <BudgetSummary apiKey={key} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {key.last_used_at ? <RelativeTime value={key.last_used_at} /> : "Never"}
      </Cell>
      <Cell className={cn("whitespace-nowrap", WIDE)}>
        <Day value={key.created_at} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {key.expires_at ? <Day value={key.expires_at} /> : "Never"}
      </Cell>
      <Cell>
        <StatusBadge status={key.status} />
      </Cell>
      <Cell className="whitespace-nowrap pl-0 text-right">
        {actionsOf(key).map(({ kind, name }) => (
          <Button
            key={kind}
            variant="ghost"
            size="sm"
            className="px-1.5"
            aria-label={`${name} ${key.name}`}
            onClick={() => onShow({ kind, id: key.id })}
          >
            {name}
          </Button>
        ))}
      </Cell>
    </Row>
  );
}
