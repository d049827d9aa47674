"use client";

import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Checkbox } from "@/components/ui/choice";
import { Field, FieldSet } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PLAYGROUND_KNOWLEDGE } from "@/lib/keys/playground";
import { Select } from "./controls";
import { EMPTY_CHOICES, RETURN_CHOICES, UNSUPPORTED_CHOICES, VERIFY_CHOICES } from "./labels";
import type { FieldsProps, Settings } from "./settings";

/** The `citations` object of a request, field by field. */
export function CitationFields({ settings, set }: FieldsProps) {
  return (
    <FieldSet legend="Citations">
      <div className="grid gap-3">
        <Checkbox
          label="Enable citations"
          description="Search knowledge bases and cite the results."
          checked={settings.enabled}
          onChange={({ target }) => set({ enabled: target.checked })}
        />
        {settings.enabled && (
          <>
            <Checkbox
              label="Require sources"
              description="Fail if retrieval can’t run."
              checked={settings.required}
              onChange={({ target }) => set({ required: target.checked })}
            />
            <SourcesField settings={settings} set={set} />
            <SearchFields settings={settings} set={set} />
            <TrustFields settings={settings} set={set} />
          </>
        )}
      </div>
    </FieldSet>
  );
}

function SourcesField({ settings, set }: FieldsProps) {
  return (
    <FieldSet legend="Knowledge bases">
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {PLAYGROUND_KNOWLEDGE[settings.preset].map((scope) => (
          <Checkbox
            key={scope}
            label={KNOWLEDGE_LABELS[scope].name}
            checked={settings.sources.includes(scope)}
            onChange={({ target }) =>
              set({
                sources: target.checked
                  ? [...settings.sources, scope]
                  : settings.sources.filter((one) => one !== scope),
              })
            }
          />
        ))}
      </div>
    </FieldSet>
  );
}

const SEARCH_FIELDS = [
  {
    name: "top_k",
    label: "Max sources",
    hint: "top_k, 1 to 50",
    placeholder: "8",
    mode: "numeric",
  },
  {
    name: "min_score",
    label: "Min similarity",
    hint: "min_score, 0 to 1",
    placeholder: "0.3",
    mode: "decimal",
  },
] as const;

function SearchFields({ settings, set }: FieldsProps) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        {SEARCH_FIELDS.map(({ name, label, hint, placeholder, mode }) => (
          <Field key={name} label={label} hint={hint}>
            {(control) => (
              <Input
                {...control}
                inputMode={mode}
                autoComplete="off"
                placeholder={placeholder}
                value={settings[name]}
                onChange={({ target }) => set({ [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Field label="Source types" hint="source_types, separated by commas">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="All"
            value={settings.source_types}
            onChange={({ target }) => set({ source_types: target.value })}
          />
        )}
      </Field>
    </>
  );
}

const CHOICE_FIELDS = [
  { name: "verify", label: "Verification", options: VERIFY_CHOICES },
  {
    name: "on_unsupported",
    label: "Unsupported claims",
    options: UNSUPPORTED_CHOICES,
  },
  { name: "on_empty", label: "When nothing is found", options: EMPTY_CHOICES },
  { name: "return", label: "Sources in the response", options: RETURN_CHOICES },
] as const;

function TrustFields({ settings, set }: FieldsProps) {
  return (
    <>
      {CHOICE_FIELDS.map(({ name, label, options }) => (
        <Field key={name} label={label} hint={name}>
          {(control) => (
            <Select
              {...control}
              value={settings[name]}
              options={options}
              onChange={({ target }) => set({ [name]: target.value } as Partial<Settings>)}
            />
          )}
        </Field>
      ))}
      <Checkbox
        label="Quotes"
        description="Include the words that support each claim."
        checked={settings.quotes}
        onChange={({ target }) => set({ quotes: target.checked })}
      />
    </>
  );
}
