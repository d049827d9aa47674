"use client";

import { Button } from "@/components/ui/button";
import {
  DEFAULT_DAYS,
  filterQuery,
  USAGE_KINDS,
  USAGE_OUTCOMES,
  type UsageFilter,
  type UsageKind,
  type UsageOutcome,
} from "@/lib/usage/filter";
import type { UsageSummary } from "@/lib/usage/schema";
import { DayRange } from "./day-range";
import { FilterSelect } from "./filter-select";
import { KIND_LABELS, OUTCOME_LABELS } from "./labels";

const PRESETS = [1, 7, 30, 90, 366];
const CUSTOM = "custom";

interface FilterBarProps {
  filter: UsageFilter;
  /** What there is to filter by; null until it was read. */
  summary: UsageSummary | null;
  onChange: (changes: UsageFilter) => void;
  onClear: () => void;
}

/** What of the log is shown, all of it in the page's address. */
export function FilterBar({ filter, summary, onChange, onClear }: FilterBarProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-2 items-end gap-x-3 gap-y-2.5 sm:grid-cols-3 lg:flex lg:flex-wrap lg:[&>label]:w-40">
      <legend className="sr-only">Filters</legend>
      <FilterSelect
        label="Key"
        all="All keys"
        value={filter.key ?? ""}
        onChange={(value) => onChange({ key: value || undefined })}
      >
        {keyOptions(filter, summary).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Model"
        all="All models"
        value={filter.model ?? ""}
        onChange={(value) => onChange({ model: value || undefined })}
      >
        {modelOptions(filter, summary).map((model) => (
          <option key={model}>{model}</option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Kind"
        all="All kinds"
        value={filter.kind ?? ""}
        onChange={(value) => onChange({ kind: (value as UsageKind) || undefined })}
      >
        {USAGE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {KIND_LABELS[kind].name}
          </option>
        ))}
      </FilterSelect>
      <FilterSelect
        label="Status"
        all="Any status"
        value={filter.status ?? ""}
        onChange={(value) => onChange({ status: (value as UsageOutcome) || undefined })}
      >
        {USAGE_OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>
            {OUTCOME_LABELS[outcome]}
          </option>
        ))}
      </FilterSelect>
      <Days filter={filter} summary={summary} onChange={onChange} />
      {filterQuery(filter) && (
        <Button variant="ghost" onClick={onClear} className="justify-self-start">
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

function Days({ filter, summary, onChange }: Omit<FilterBarProps, "onClear">) {
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
      <FilterSelect
        label="Days (UTC)"
        value={isCustom ? CUSTOM : String(filter.days ?? DEFAULT_DAYS)}
        onChange={choose}
      >
        {presetsWith(filter.days).map((days) => (
          <option key={days} value={days}>
            {days === 1 ? "Today" : `Last ${days} days`}
          </option>
        ))}
        <option value={CUSTOM}>Custom range</option>
      </FilterSelect>
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

/** The keys of the range by name, with the end of the id where two have one name, and the chosen one in any case. */
function keyOptions({ key }: UsageFilter, summary: UsageSummary | null) {
  const keys = summary?.keys ?? [];
  const known =
    key && !keys.some(({ id }) => id === key) ? [...keys, { id: key, name: null }] : keys;
  return known.map(({ id, name }) => {
    const isTwin = known.some((other) => other.id !== id && other.name === name);
    return { id, name: name === null || isTwin ? `${name ?? "Key"} (…${id.slice(-6)})` : name };
  });
}

function modelOptions({ model }: UsageFilter, summary: UsageSummary | null): string[] {
  const models = summary?.models ?? [];
  return model && !models.includes(model) ? [...models, model] : models;
}
