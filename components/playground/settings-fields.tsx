"use client";

import { createContext, useContext, useState } from "react";
import { FilterBuilder } from "@/components/documents/filter-builder";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Checkbox } from "@/components/ui/choice";
import { Field, FieldSet, TextField } from "@/components/ui/field";
import { ListboxField, toOptions } from "@/components/ui/listbox";
import { cn } from "@/lib/cn";
import { PLAYGROUND_KNOWLEDGE } from "@/lib/money/keys/playground";
import { checkSettings } from "./check-settings";
import { runOf, type Side } from "./conversation";
import { CHOICES, SWITCHES, TEXTS } from "./labels";
import { usePlayground } from "./playground-context";
import { newSettings, type Settings, withPreset } from "./settings";
import { TextArea } from "./text-area";

/** Which of two compared settings a form changes. */
export const SideContext = createContext<Side>("main");

export function useSettings() {
  const { state, store } = usePlayground();
  const side = useContext(SideContext);
  const settings = (side === "rival" && state.rival) || state.settings;
  const name = side === "rival" ? "rival" : "settings";
  const set = (change: Partial<Settings>) => store?.change({ [name]: { ...settings, ...change } });
  const last = state.turns.at(-1);
  return { settings, set, errors: checkSettings(settings), run: last && runOf(last, side) };
}

/** A setting's label with the name of its field in the API. */
function SettingLabel({ children, field }: { children: string; field: string }) {
  return (
    <span className="flex items-baseline justify-between gap-2">
      {children} <code className="font-mono font-normal text-muted text-xs">{field}</code>
    </span>
  );
}

function TextSetting({ name }: { name: keyof typeof TEXTS }) {
  const { settings, set, errors } = useSettings();
  const { hint, ...field } = TEXTS[name];
  return (
    <TextField
      autoComplete="off"
      {...field}
      hint={
        <>
          <code className="font-mono">{name}</code>
          {hint && `, ${hint}`}
        </>
      }
      error={errors[name]}
      value={settings[name]}
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
}

export function SwitchSetting({ name }: { name: keyof typeof SWITCHES }) {
  const { settings, set } = useSettings();
  return (
    <Checkbox
      {...SWITCHES[name]}
      checked={settings[name]}
      onChange={({ target }) => set({ [name]: target.checked })}
    />
  );
}

function ChoiceSetting({ name }: { name: keyof typeof CHOICES }) {
  const { settings, set, errors } = useSettings();
  const { label, options } = CHOICES[name];
  return (
    <ListboxField
      label={label}
      heading={<SettingLabel field={name}>{label}</SettingLabel>}
      error={errors[name]}
      value={settings[name]}
      onChange={(value) => set({ [name]: value } as Partial<Settings>)}
      options={toOptions(options)}
    />
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

function FiltersField() {
  const { settings, set, run } = useSettings();
  return (
    <FilterBuilder
      form={settings.filters}
      onChange={(filters) => set({ filters })}
      sent={run?.request.citations?.filters}
      error={run?.failure}
    />
  );
}

/** Settings with a field of their own. */
const FIELDS = { sources: SourcesField, filters: FiltersField, system: SystemField };

type SettingName =
  | keyof typeof TEXTS
  | keyof typeof SWITCHES
  | keyof typeof CHOICES
  | keyof typeof FIELDS;

function isIn<T extends object>(table: T, name: PropertyKey): name is keyof T {
  return Object.hasOwn(table, name);
}

function Setting({ name }: { name: SettingName }) {
  if (isIn(TEXTS, name)) {
    return <TextSetting name={name} />;
  }
  if (isIn(SWITCHES, name)) {
    return <SwitchSetting name={name} />;
  }
  if (isIn(CHOICES, name)) {
    return <ChoiceSetting name={name} />;
  }
  const Own = FIELDS[name];
  return <Own />;
}

export interface SettingGroupProps {
  title: string;
  /** In their order; two in an array share a line. */
  rows: readonly (SettingName | readonly [SettingName, SettingName])[];
  isOpen?: boolean;
}

/** Settings that are folded away; its line says how many were changed, and whether one is invalid. */
export function SettingGroup({ title, rows, isOpen = false }: SettingGroupProps) {
  const { settings, errors } = useSettings();
  const [isShown, setShown] = useState(isOpen);
  const defaults = withPreset(newSettings(settings.model), settings.preset);
  const names = rows.flat();
  const invalid = names.filter((name) => errors[name]).length;
  const changed = names.filter(
    (name) => JSON.stringify(settings[name]) !== JSON.stringify(defaults[name]),
  ).length;
  return (
    <details
      open={isShown}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
      className="border-t pt-3"
    >
      <summary className="flex min-h-6 cursor-pointer items-center gap-2 rounded-sm font-medium">
        <span
          aria-hidden
          className={cn("text-[0.625rem] text-muted transition-transform", isShown && "rotate-90")}
        >
          ▶
        </span>
        <span>{title}</span>
        <span className={cn("ml-auto font-normal text-xs", invalid ? "text-danger" : "text-muted")}>
          {invalid > 0 ? `${invalid} invalid` : changed > 0 && `${changed} changed`}
        </span>
      </summary>
      <div className="grid gap-3 pt-3">
        {rows.map((row) =>
          typeof row === "string" ? (
            <Setting key={row} name={row} />
          ) : (
            <div key={row[0]} className="grid grid-cols-2 items-start gap-3">
              <Setting name={row[0]} />
              <Setting name={row[1]} />
            </div>
          ),
        )}
      </div>
    </details>
  );
}
