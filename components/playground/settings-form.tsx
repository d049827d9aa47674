"use client";

import { type ComponentProps, useId } from "react";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Checkbox, RadioCard } from "@/components/ui/choice";
import { Field, FieldSet, TextField } from "@/components/ui/field";
import { PLAYGROUND_KNOWLEDGE } from "@/lib/keys/playground";
import { Select, TextArea } from "./controls";
import { CHOICES, PRESET_CHOICES } from "./labels";
import { type Settings, withPreset } from "./settings";
import { usePlayground } from "./store";

export interface ModelChoice {
  id: string;
  isDefault: boolean;
}

/** All request settings. Changes apply to the next question. */
export function SettingsForm({ models }: { models: readonly ModelChoice[] }) {
  const { settings, set } = useSettings();
  const group = useId();
  const known = models.some(({ id }) => id === settings.model)
    ? models
    : [...models, { id: settings.model, isDefault: false }];
  return (
    <form aria-label="Settings" className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      <Field label="Model">
        {(control) => (
          <Select
            {...control}
            value={settings.model}
            onChange={({ target }) => set({ model: target.value })}
            options={known.map(({ id, isDefault }) => [id, isDefault ? `${id} (default)` : id])}
          />
        )}
      </Field>
      <FieldSet legend="Ask as">
        <div className="grid gap-2">
          {PRESET_CHOICES.map((choice) => (
            <RadioCard
              key={choice.value}
              {...choice}
              name={`${group}preset`}
              checked={settings.preset === choice.value}
              onChange={() => set(withPreset(settings, choice.value))}
            />
          ))}
        </div>
      </FieldSet>
      <CitationFields />
      <ModelFields />
    </form>
  );
}

function useSettings() {
  const { state, store } = usePlayground();
  const { settings } = state;
  const set = (change: Partial<Settings>) =>
    store?.change({ settings: { ...settings, ...change } });
  return { settings, set };
}

interface TextSettingProps extends ComponentProps<typeof TextField> {
  name: "temperature" | "max_tokens" | "top_k" | "min_score" | "source_types";
}

function TextSetting({ name, ...field }: TextSettingProps) {
  const { settings, set } = useSettings();
  return (
    <TextField
      autoComplete="off"
      {...field}
      value={settings[name]}
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
}

interface SwitchSettingProps extends ComponentProps<typeof Checkbox> {
  name: "enabled" | "required" | "quotes" | "stream";
}

function SwitchSetting({ name, ...field }: SwitchSettingProps) {
  const { settings, set } = useSettings();
  return (
    <Checkbox
      {...field}
      checked={settings[name]}
      onChange={({ target }) => set({ [name]: target.checked })}
    />
  );
}

/** The `citations` object of a request, field by field. */
function CitationFields() {
  const { settings } = useSettings();
  return (
    <FieldSet legend="Citations">
      <div className="grid gap-3">
        <SwitchSetting
          name="enabled"
          label="Enable citations"
          description="Search knowledge bases and cite the results."
        />
        {settings.enabled && (
          <>
            <SwitchSetting
              name="required"
              label="Require sources"
              description="Fail if retrieval can’t run."
            />
            <SourcesField />
            <SearchFields />
            <ChoiceFields />
            <SwitchSetting
              name="quotes"
              label="Quotes"
              description="Include the words that support each claim."
            />
          </>
        )}
      </div>
    </FieldSet>
  );
}

function SourcesField() {
  const { settings, set } = useSettings();
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

function SearchFields() {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <TextSetting
          name="top_k"
          label="Max sources"
          hint="top_k, 1 to 50"
          placeholder="8"
          inputMode="numeric"
        />
        <TextSetting
          name="min_score"
          label="Min similarity"
          hint="min_score, 0 to 1"
          placeholder="0.3"
          inputMode="decimal"
        />
      </div>
      <TextSetting
        name="source_types"
        label="Source types"
        hint="source_types, separated by commas"
        placeholder="All"
      />
    </>
  );
}

function ChoiceFields() {
  const { settings, set } = useSettings();
  return (Object.keys(CHOICES) as (keyof typeof CHOICES)[]).map((name) => (
    <Field key={name} label={CHOICES[name].label} hint={name}>
      {(control) => (
        <Select
          {...control}
          value={settings[name]}
          options={Object.entries(CHOICES[name].options)}
          onChange={({ target }) => set({ [name]: target.value } as Partial<Settings>)}
        />
      )}
    </Field>
  ));
}

function ModelFields() {
  const { settings, set } = useSettings();
  return (
    <FieldSet legend="Answer">
      <div className="grid gap-3">
        <Field label="System message">
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              value={settings.system}
              onChange={({ target }) => set({ system: target.value })}
              placeholder="None"
              className="max-h-60"
            />
          )}
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <TextSetting
            name="temperature"
            label="Temperature"
            placeholder="Default"
            inputMode="decimal"
          />
          <TextSetting
            name="max_tokens"
            label="Max tokens"
            placeholder="Default"
            inputMode="numeric"
          />
        </div>
        <SwitchSetting
          name="stream"
          label="Stream"
          description="Turn off streaming to see warnings."
        />
      </div>
    </FieldSet>
  );
}
