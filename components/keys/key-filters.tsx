import { FilterBar, SearchFilter } from "@/components/ui/filter-bar";
import { Listbox } from "@/components/ui/listbox";
import {
  EXPIRING_DAYS,
  KEY_MODES,
  KEY_STATUSES,
  type KeyFilter,
  type KeyStatusFilter,
  keyFilterQuery,
} from "@/lib/money/keys/filter";
import { MODE_LABELS, STATUS_LABELS } from "./labels";

const STATUSES: Record<KeyStatusFilter, string> = {
  usable: STATUS_LABELS.usable.name,
  expiring: `Expires within ${EXPIRING_DAYS} days`,
  expired: STATUS_LABELS.expired.name,
  revoked: STATUS_LABELS.revoked.name,
};

interface KeyFiltersProps {
  filter: KeyFilter;
  onChange: (changes: KeyFilter) => void;
  onClear: () => void;
}

export function KeyFilters({ filter, onChange, onClear }: KeyFiltersProps) {
  return (
    <FilterBar
      className="sm:flex sm:flex-wrap sm:[&>div]:w-44"
      onClear={keyFilterQuery(filter) ? onClear : null}
    >
      <SearchFilter
        label="Search keys"
        placeholder="Name or last four characters"
        className="col-span-full sm:w-64!"
        value={filter.search ?? ""}
        onChange={(search) => onChange({ search: search || undefined })}
      />
      <Listbox
        label="Mode"
        all="Live and test"
        value={filter.mode ?? ""}
        onChange={(value) => onChange({ mode: KEY_MODES.find((mode) => mode === value) })}
        options={KEY_MODES.map((value) => ({ value, name: MODE_LABELS[value].name }))}
      />
      <Listbox
        label="Status"
        all="Any status"
        value={filter.status ?? ""}
        onChange={(value) => onChange({ status: KEY_STATUSES.find((status) => status === value) })}
        options={KEY_STATUSES.map((value) => ({ value, name: STATUSES[value] }))}
      />
    </FilterBar>
  );
}
