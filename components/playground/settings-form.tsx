"use client";

import { useId } from "react";
import { Checkbox, RadioCard } from "@/components/ui/choice";
import { Field, FieldSet } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { CitationFields } from "./citation-fields";
import { Select, TextArea } from "./controls";
import { PRESET_CHOICES } from "./labels";
import { type FieldsProps, type Settings, withPreset } from "./settings";
import { usePlayground } from "./use-playground";

/** A model to choose from. */
export interface ModelChoice {
  id: string;
  isDefault: boolean;
}

/** All request settings. Changes apply to the next question. */
export function SettingsForm({ models }: { models: readonly ModelChoice[] }) {
  const { state, store } = usePlayground();
  const { settings } = state;
  const group = useId();
  const set = (change: Partial<Settings>) =>
    store?.change({ settings: { ...settings, ...change } });
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
            options={known.map(({ id, isDefault }) => ({
              value: id,
              label: isDefault ? `${id} (default)` : id,
            }))}
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
              onChange={() => store?.change({ settings: withPreset(settings, choice.value) })}
            />
          ))}
        </div>
      </FieldSet>
      <CitationFields settings={settings} set={set} />
      <ModelFields settings={settings} set={set} />
    </form>
  );
}

function ModelFields({ settings, set }: FieldsProps) {
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
          <Field label="Temperature">
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                placeholder="Default"
                value={settings.temperature}
                onChange={({ target }) => set({ temperature: target.value })}
              />
            )}
          </Field>
          <Field label="Max tokens">
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder="Default"
                value={settings.max_tokens}
                onChange={({ target }) => set({ max_tokens: target.value })}
              />
            )}
          </Field>
        </div>
        <Checkbox
          label="Stream"
          description="Turn off streaming to see warnings."
          checked={settings.stream}
          onChange={({ target }) => set({ stream: target.checked })}
        />
      </div>
    </FieldSet>
  );
}
