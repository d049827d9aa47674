"use client";

import { FilterBar, SearchFilter } from "@/components/ui/filter-bar";
import { Select } from "@/components/ui/select";
import type { LibraryFilter } from "@/lib/documents/client";
import { FORMATS } from "@/lib/documents/formats";
import { toLibraryFilter } from "./filter";
import { SCOPE_LABELS, STATUS_LABELS } from "./labels";

const SOURCE_TYPE = "source:";

interface LibraryFilterBarProps {
  filter: LibraryFilter;
  onChange: (filter: LibraryFilter) => void;
  /** The source types of the uploaded documents. */
  sourceTypes: readonly string[];
}

export function LibraryFilterBar({ filter, onChange, sourceTypes }: LibraryFilterBarProps) {
  const change = (changes: Record<string, string>) =>
    onChange(toLibraryFilter({ ...filter, ...changes }));
  const type = filter.source_type ? `${SOURCE_TYPE}${filter.source_type}` : (filter.format ?? "");
  return (
    <FilterBar
      onClear={Object.keys(filter).length > 0 ? () => onChange({}) : null}
      className="sm:grid-cols-[minmax(0,1fr)_repeat(3,9rem)]"
    >
      <SearchFilter
        label="Title"
        value={filter.title ?? ""}
        onChange={(title) => change({ title })}
        placeholder="Search titles"
        className="col-span-2 sm:col-span-1"
      />
      <Select
        label="Scope"
        all="All scopes"
        value={filter.scope ?? ""}
        onChange={(scope) => change({ scope })}
      >
        <option value="customer_kb">{SCOPE_LABELS.customer_kb.name}</option>
        <option value="personal_kb">{SCOPE_LABELS.personal_kb.name}</option>
      </Select>
      <Select label="Type" all="All types" value={type} onChange={(value) => change(typeOf(value))}>
        <optgroup label="Format">
          {Object.entries(FORMATS).map(([format, { name }]) => (
            <option key={format} value={format}>
              {name}
            </option>
          ))}
        </optgroup>
        {sourceTypes.length > 0 && (
          <optgroup label="Source type">
            {sourceTypes.map((sourceType) => (
              <option key={sourceType} value={`${SOURCE_TYPE}${sourceType}`}>
                {sourceType}
              </option>
            ))}
          </optgroup>
        )}
      </Select>
      <Select
        label="Status"
        all="Any status"
        value={filter.status ?? ""}
        onChange={(status) => change({ status })}
      >
        {Object.entries(STATUS_LABELS).map(([status, { name }]) => (
          <option key={status} value={status}>
            {name}
          </option>
        ))}
      </Select>
    </FilterBar>
  );
}

function typeOf(value: string): Record<string, string> {
  return value.startsWith(SOURCE_TYPE)
    ? { format: "", source_type: value.slice(SOURCE_TYPE.length) }
    : { format: value, source_type: "" };
}
