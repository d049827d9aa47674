"use client";

import { FilterBuilder } from "@/components/documents/filter-builder";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Checkbox } from "@/components/ui/choice";
import { Field, FieldSet } from "@/components/ui/field";
import { ListboxField, toOptions } from "@/components/ui/listbox";
import { PLAYGROUND_KNOWLEDGE, PLAYGROUND_PRESETS } from "@/lib/money/keys/playground";
import type { Side } from "./conversation";
import { PRESET_LABELS } from "./labels";
import { newSettings, type Settings, withPreset } from "./settings";
import {
  ChoiceSetting,
  SettingGroup,
  SideContext,
  SwitchSetting,
  TextSetting,
  useSettings,
} from "./settings-fields";
import { TextArea } from "./text-area";

export interface ModelChoice {
  id: string;
  isDefault: boolean;
}

interface SettingsFormProps {
  models: readonly ModelChoice[];
  /** Of two compared ones. */
  side?: Side;
}

/** All request settings. Changes apply to the next question. */
export function SettingsForm({ models, side = "main" }: SettingsFormProps) {
  return (
    <SideContext value={side}>
      <form
        aria-label={side === "main" ? "Settings" : "Settings of B"}
        className="grid gap-4"
        onSubmit={(event) => event.preventDefault()}
      >
        <ModelField models={models} />
        <PresetField />
        <SwitchSetting
          name="enabled"
          label="Cite sources"
          description="Search knowledge bases and cite the results."
        />
        <Groups />
      </form>
    </SideContext>
  );
}

function ModelField({ models }: Pick<SettingsFormProps, "models">) {
  const { settings, set } = useSettings();
  const known = models.some(({ id }) => id === settings.model)
    ? models
    : [...models, { id: settings.model, isDefault: false }];
  return (
    <ListboxField
      label="Model"
      value={settings.model}
      onChange={(model) => set({ model })}
      options={known.map(({ id, isDefault }) => ({
        value: id,
        name: isDefault ? `${id} (default)` : id,
      }))}
    />
  );
}

function PresetField() {
  const { settings, set } = useSettings();
  return (
    <ListboxField
      label="Ask as"
      value={settings.preset}
      onChange={(value) => {
        const preset = PLAYGROUND_PRESETS.find((one) => one === value);
        if (preset) {
          set(withPreset(settings, preset));
        }
      }}
      options={toOptions(PRESET_LABELS)}
    />
  );
}

function Groups() {
  const { settings } = useSettings();
  const defaults = withPreset(newSettings(settings.model), settings.preset);
  return (
    <>
      {settings.enabled && (
        <>
          <SearchGroup defaults={defaults} />
          <FilterGroup defaults={defaults} />
          <ChecksGroup defaults={defaults} />
        </>
      )}
      <AnswerGroup defaults={defaults} />
    </>
  );
}

function SearchGroup({ defaults }: { defaults: Settings }) {
  return (
    <SettingGroup
      title="Search"
      names={["sources", "top_k", "min_score", "search", "query"]}
      defaults={defaults}
      isOpen
    >
      <SourcesField />
      <div className="grid grid-cols-2 items-start gap-3">
        <TextSetting
          name="top_k"
          label="Max sources"
          hint="1 to 50"
          placeholder="8"
          inputMode="numeric"
        />
        <TextSetting
          name="min_score"
          label="Min similarity"
          hint="0 to 1"
          placeholder="0.3"
          inputMode="decimal"
        />
      </div>
      <ChoiceSetting name="search" />
      <ChoiceSetting name="query" />
    </SettingGroup>
  );
}

function FilterGroup({ defaults }: { defaults: Settings }) {
  const { settings, set, run } = useSettings();
  return (
    <SettingGroup
      title="Filters"
      names={["filters", "source_types", "document_ids"]}
      defaults={defaults}
    >
      <FilterBuilder
        form={settings.filters}
        onChange={(filters) => set({ filters })}
        sent={run?.request.citations?.filters}
        error={run?.failure}
      />
      <TextSetting
        name="source_types"
        label="Source types"
        hint="separated by commas"
        placeholder="All"
      />
      <TextSetting
        name="document_ids"
        label="Documents"
        hint="ids, separated by commas"
        placeholder="All"
      />
    </SettingGroup>
  );
}

function ChecksGroup({ defaults }: { defaults: Settings }) {
  return (
    <SettingGroup
      title="Checks"
      names={["verify", "on_unsupported", "on_empty", "return", "required", "quotes"]}
      defaults={defaults}
    >
      <ChoiceSetting name="verify" />
      <ChoiceSetting name="on_unsupported" />
      <ChoiceSetting name="on_empty" />
      <ChoiceSetting name="return" />
      <SwitchSetting
        name="required"
        label="Require sources"
        description="Fail if retrieval can’t run."
      />
      <SwitchSetting
        name="quotes"
        label="Quotes"
        description="Include the words that support each claim."
      />
    </SettingGroup>
  );
}

function AnswerGroup({ defaults }: { defaults: Settings }) {
  return (
    <SettingGroup
      title="Answer"
      names={["system", "temperature", "max_tokens", "stream", "store"]}
      defaults={defaults}
    >
      <SystemField />
      <div className="grid grid-cols-2 items-start gap-3">
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
      <SwitchSetting
        name="store"
        label="Store answers"
        description="Keep each answer and its evidence in your account, so that you can share it."
      />
    </SettingGroup>
  );
}

function SourcesField() {
  const { settings, set, errors } = useSettings();
  return (
    <FieldSet legend="Knowledge bases" error={errors.sources}>
      <div data-invalid={errors.sources && ""} className="flex flex-wrap gap-x-4 gap-y-1">
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

function SystemField() {
  const { settings, set } = useSettings();
  return (
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
  );
}
