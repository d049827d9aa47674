"use client";

import { type ComponentProps, createContext, type ReactNode, useContext, useState } from "react";
import { Checkbox } from "@/components/ui/choice";
import { TextField } from "@/components/ui/field";
import { ListboxField, toOptions } from "@/components/ui/listbox";
import { cn } from "@/lib/cn";
import { checkSettings } from "./check-settings";
import { runOf, type Side } from "./conversation";
import { CHOICES } from "./labels";
import { usePlayground } from "./playground-context";
import type { Settings } from "./settings";

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

interface TextSettingProps extends Omit<ComponentProps<typeof TextField>, "hint"> {
  name: "temperature" | "max_tokens" | "top_k" | "min_score" | "source_types" | "document_ids";
  hint?: string;
}

export function TextSetting({ name, hint, ...field }: TextSettingProps) {
  const { settings, set, errors } = useSettings();
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

interface SwitchSettingProps extends ComponentProps<typeof Checkbox> {
  name: "enabled" | "required" | "quotes" | "stream" | "store";
}

export function SwitchSetting({ name, ...field }: SwitchSettingProps) {
  const { settings, set } = useSettings();
  return (
    <Checkbox
      {...field}
      checked={settings[name]}
      onChange={({ target }) => set({ [name]: target.checked })}
    />
  );
}

export function ChoiceSetting({ name }: { name: keyof typeof CHOICES }) {
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

interface SettingGroupProps {
  title: string;
  names: readonly (keyof Settings)[];
  defaults: Settings;
  isOpen?: boolean;
  children: ReactNode;
}

/** Settings that are folded away; its line says how many were changed, and whether one is invalid. */
export function SettingGroup({ title, names, defaults, isOpen, children }: SettingGroupProps) {
  const { settings, errors } = useSettings();
  const [isShown, setShown] = useState(isOpen ?? false);
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
      <div className="grid gap-3 pt-3">{children}</div>
    </details>
  );
}
