import { useId, useState } from "react";
import { FilterBar } from "@/components/ui/filter-bar";
import { Input } from "@/components/ui/input";
import { Listbox } from "@/components/ui/listbox";
import {
  CHART_GROUPS,
  type ChartGroup,
  DEFAULT_DAYS,
  filterQuery,
  isRange,
  LOGGED_KINDS,
  today,
  USAGE_OUTCOMES,
  type UsageFilter,
} from "@/lib/money/usage/filter";
import type { UsageSummary } from "@/lib/money/usage/schema";
import { KIND_LABELS, OUTCOME_LABELS } from "./labels";

const PRESETS = [1, 7, 30, 90, 366];
const CUSTOM = "custom";
const GROUP_LABELS: Record<ChartGroup, string> = { key: "Key", model: "Model", kind: "Kind" };

interface UsageFiltersProps {
  filter: UsageFilter;
  /** The filter options; null until they load. */
  summary: UsageSummary | null;
  group: ChartGroup | undefined;
  onChange: (changes: UsageFilter) => void;
  onGroup: (group: ChartGroup | undefined) => void;
  onClear: () => void;
}

export function UsageFilters({ filter, summary, onChange, onClear, ...props }: UsageFiltersProps) {
  return (
    <FilterBar
      className="sm:grid-cols-3 lg:flex lg:flex-wrap lg:[&>div]:w-38 lg:[&>label]:w-38"
      onClear={filterQuery(filter) ? onClear : null}
    >
      {choicesOf(filter, summary).map(({ name, label, all, options }) => (
        <Listbox
          key={name}
          label={label}
          all={all}
          value={filter[name] ?? ""}
          onChange={(value) => onChange({ [name]: value || undefined })}
          options={options}
        />
      ))}
      <Days filter={filter} summary={summary} onChange={onChange} />
      <Listbox
        label="Group charts by"
        value={props.group ?? ""}
        onChange={(value) => props.onGroup(CHART_GROUPS.find((group) => group === value))}
        options={[
          { value: "", name: "Outcome" },
          ...CHART_GROUPS.map((value) => ({ value, name: GROUP_LABELS[value] })),
        ]}
      />
    </FilterBar>
  );
}

const KINDS = LOGGED_KINDS.map((value) => ({ value, name: KIND_LABELS[value] }));
const OUTCOMES = USAGE_OUTCOMES.map((value) => ({ value, name: OUTCOME_LABELS[value] }));

function choicesOf(filter: UsageFilter, summary: UsageSummary | null) {
  return [
    { name: "key", label: "Key", all: "All keys", options: keyOptions(filter, summary) },
    { name: "model", label: "Model", all: "All models", options: modelOptions(filter, summary) },
    { name: "kind", label: "Kind", all: "All kinds", options: KINDS },
    { name: "status", label: "Status", all: "Any status", options: OUTCOMES },
  ] as const;
}

type DaysProps = Pick<UsageFiltersProps, "filter" | "summary" | "onChange">;

function Days({ filter, summary, onChange }: DaysProps) {
  const isCustom = Boolean(filter.from || filter.to);
  const range = { from: filter.from ?? summary?.from ?? "", to: filter.to ?? summary?.to ?? "" };
  const choose = (value: string) =>
    onChange(
      value === CUSTOM
        ? { days: undefined, ...range }
        : { from: undefined, to: undefined, days: daysOf(value) },
    );
  return (
    <>
      <Listbox
        label="Days (UTC)"
        value={isCustom ? CUSTOM : String(filter.days ?? DEFAULT_DAYS)}
        onChange={choose}
        options={[
          ...presetsWith(filter.days).map((days) => ({
            value: String(days),
            name: days === 1 ? "Today" : `Last ${days} days`,
          })),
          { value: CUSTOM, name: "Custom range" },
        ]}
      />
      {isCustom && <DayRange {...range} onChange={onChange} />}
    </>
  );
}

function daysOf(value: string): number | undefined {
  return Number(value) === DEFAULT_DAYS ? undefined : Number(value);
}

function presetsWith(days = DEFAULT_DAYS): number[] {
  return PRESETS.includes(days) ? PRESETS : [...PRESETS, days].toSorted((a, b) => a - b);
}

/** The keys used in the range, by name. Duplicate names get the end of the key's id. Always includes the selected key. */
function keyOptions({ key }: UsageFilter, summary: UsageSummary | null) {
  const keys = summary?.keys ?? [];
  const known =
    key && !keys.some(({ id }) => id === key)
      ? [...keys, { id: key, name: null, requests: 0 }]
      : keys;
  return known.map(({ id, name, requests }) => {
    const isTwin = known.some((other) => other.id !== id && other.name === name);
    const shown = name === null || isTwin ? `${name ?? "Key"} (…${id.slice(-6)})` : name;
    return { value: id, name: shown, count: requests };
  });
}

function modelOptions({ model }: UsageFilter, summary: UsageSummary | null) {
  const models = summary?.models ?? [];
  const known = model && !models.includes(model) ? [...models, model] : models;
  return known.map((id) => ({ value: id, name: id }));
}

interface DayRangeProps {
  from: string;
  to: string;
  onChange: (range: { from: string; to: string }) => void;
}

/** A custom date range. Incomplete or invalid input stays in the fields and doesn't apply. */
function DayRange({ onChange, ...range }: DayRangeProps) {
  const id = useId();
  const [draft, setDraft] = useState(range);
  const [known, setKnown] = useState(range);
  // The URL changed by navigation, such as Back.
  if (known.from !== range.from || known.to !== range.to) {
    setKnown(range);
    setDraft(range);
  }
  const edit = (change: Partial<typeof draft>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    if (next.from && next.to && isRange(next.from, next.to)) {
      onChange(next);
    }
  };
  const isWrong = Boolean(draft.from && draft.to) && !isRange(draft.from, draft.to);
  return (
    <>
      {(["from", "to"] as const).map((end) => (
        <label key={end} htmlFor={`${id}-${end}`} className="grid min-w-0 gap-1">
          <span className="text-muted text-xs">{end === "from" ? "From" : "To"}</span>
          <Input
            id={`${id}-${end}`}
            type="date"
            value={draft[end]}
            max={today()}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? id : undefined}
            onChange={(event) => edit({ [end]: event.target.value })}
            className="sm:h-8"
          />
        </label>
      ))}
      <p id={id} aria-live="polite" className="col-span-full text-danger text-xs empty:hidden">
        {isWrong && "Choose a start date before the end date, at most 366 days apart."}
      </p>
    </>
  );
}
