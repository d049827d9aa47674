"use client";

import { useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { LibraryFilter } from "@/lib/documents/client";
import { filterOf } from "./filter";
import { FORMAT_LABELS, SCOPE_LABELS, STATUS_LABELS } from "./labels";

const TYPING_MS = 300;
const SOURCE_TYPE = "source:";

interface FilterBarProps {
  filter: LibraryFilter;
  onChange: (filter: LibraryFilter) => void;
  /** The kinds of source that the documents' uploaders named. */
  sourceTypes: readonly string[];
}

/** What of the list is shown. */
export function FilterBar({ filter, onChange, sourceTypes }: FilterBarProps) {
  const change = (changes: Record<string, string>) => onChange(filterOf({ ...filter, ...changes }));
  const type = filter.source_type ? `${SOURCE_TYPE}${filter.source_type}` : (filter.format ?? "");
  return (
    <fieldset className="grid min-w-0 grid-cols-2 items-end gap-x-3 gap-y-2.5 sm:grid-cols-[minmax(0,1fr)_repeat(3,9rem)]">
      <legend className="sr-only">Filters</legend>
      <TitleFilter title={filter.title ?? ""} onChange={(title) => change({ title })} />
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
          {Object.entries(FORMAT_LABELS).map(([format, name]) => (
            <option key={format} value={format}>
              {name}
            </option>
          ))}
        </optgroup>
        {sourceTypes.length > 0 && (
          <optgroup label="Kind of source">
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
      {Object.keys(filter).length > 0 && (
        <Button variant="ghost" className="justify-self-start" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

function typeOf(value: string): Record<string, string> {
  return value.startsWith(SOURCE_TYPE)
    ? { format: "", source_type: value.slice(SOURCE_TYPE.length) }
    : { format: value, source_type: "" };
}

/** Asks once the typing pauses. */
function TitleFilter({ title, onChange }: { title: string; onChange: (title: string) => void }) {
  const [text, setText] = useState(title);
  const [asked, setAsked] = useState(title);
  const id = useId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (title !== asked) {
    // Changed elsewhere: cleared, or by the way back.
    setAsked(title);
    setText(title);
  }
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAsked(filterOf({ title: value }).title ?? "");
      onChange(value);
    }, TYPING_MS);
  };
  return (
    <label htmlFor={id} className="col-span-2 grid min-w-0 gap-1 sm:col-span-1">
      <span className="text-muted text-xs">Title</span>
      <Input
        id={id}
        type="search"
        data-list-filter
        value={text}
        placeholder="Any words of it"
        onChange={({ target }) => type(target.value)}
      />
    </label>
  );
}
