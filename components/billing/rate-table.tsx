import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { formatUsd, placesOf, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import type { Rates } from "@/lib/money/billing/schema";

type ModelRate = Rates["models"][number];

const KINDS = [
  { kind: "core", name: "Chat" },
  { kind: "grounded", name: "Cited chat" },
] as const;
const SIDES = [
  { side: "input_usd_per_million", label: "Input", edge: "border-l" },
  { side: "output_usd_per_million", label: "Output", edge: null },
] as const;

/** Model prices: a table on wide screens, cards on narrow ones. The first model is the default. */
export function RateTable({ models }: { models: ModelRate[] }) {
  return (
    <div className="@container">
      <div className="@min-[40rem]:block hidden overflow-hidden rounded-lg border bg-surface">
        <Wide models={models} />
      </div>
      <ul
        aria-label="Rates"
        className="@min-[40rem]:hidden divide-y overflow-hidden rounded-lg border bg-surface"
      >
        {models.map((model, index) => (
          <li key={model.id} className="grid gap-2.5 px-3.5 py-3">
            <ModelName id={model.id} isDefault={index === 0} />
            <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
              {CELLS.map(({ kind, side, name }) => (
                <div key={name}>
                  <dt className="text-muted text-xs">{name}</dt>
                  <dd className="tabular-nums">{formatUsd(model[kind][side])}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </div>
  );
}

const CELLS = KINDS.flatMap(({ kind, name: kindName }) =>
  SIDES.map((side) => ({ kind, name: `${kindName} ${side.label.toLowerCase()}`, ...side })),
);

function Wide({ models }: { models: ModelRate[] }) {
  const places = placesOf(
    models.flatMap((model) => CELLS.map(({ kind, side }) => model[kind][side])),
  );
  return (
    <Table>
      <caption className="sr-only">US dollars per million tokens</caption>
      <thead>
        <tr>
          <ColumnHead rowSpan={2} className="align-bottom pb-2.5">
            Model
          </ColumnHead>
          {KINDS.map(({ kind, name }) => (
            <th
              key={kind}
              scope="colgroup"
              colSpan={2}
              className="h-8 border-l px-3 text-center font-medium text-xs"
            >
              {name}
            </th>
          ))}
        </tr>
        <tr>
          {CELLS.map(({ name, label, edge }) => (
            <ColumnHead key={name} className={cn("h-8 text-right", edge)}>
              {label}
            </ColumnHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {models.map((model, index) => (
          <Row key={model.id}>
            <th scope="row" className="h-12 px-3 py-2 text-left font-normal">
              <ModelName id={model.id} isDefault={index === 0} />
            </th>
            {CELLS.map(({ kind, side, name, edge }) => (
              <Cell key={name} className={cn("text-right tabular-nums", edge)}>
                <Usd value={model[kind][side]} places={places} />
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function ModelName({ id, isDefault }: { id: string; isDefault: boolean }) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <code className="break-all font-mono text-xs">{id}</code>
      {isDefault && <span className="text-muted text-xs">default model</span>}
    </span>
  );
}
