"use client";

import { ListboxField, toOptions } from "@/components/ui/listbox";
import { PLAYGROUND_PRESETS } from "@/lib/money/keys/playground";
import type { Side } from "./conversation";
import { PRESET_LABELS } from "./labels";
import { withPreset } from "./settings";
import {
  SettingGroup,
  type SettingGroupProps,
  SideContext,
  SwitchSetting,
  useSettings,
} from "./settings-fields";

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
        <SwitchSetting name="enabled" />
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

const SEARCH_GROUPS: readonly SettingGroupProps[] = [
  { title: "Search", rows: ["sources", ["top_k", "min_score"], "search", "query"], isOpen: true },
  { title: "Filters", rows: ["filters", "source_types", "document_ids"] },
  {
    title: "Checks",
    rows: ["verify", "on_unsupported", "on_empty", "return", "required", "quotes"],
  },
];

function Groups() {
  const { settings } = useSettings();
  return (
    <>
      {settings.enabled &&
        SEARCH_GROUPS.map((group) => <SettingGroup key={group.title} {...group} />)}
      <SettingGroup
        title="Answer"
        rows={["system", ["temperature", "max_tokens"], "stream", "store"]}
      />
    </>
  );
}
