"use client";

import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import type { Side } from "./conversation";
import { usePlayground } from "./playground-context";
import { type ModelChoice, SettingsForm } from "./settings-form";
import { SideMark } from "./side-mark";

interface SettingsPanelProps {
  models: readonly ModelChoice[];
  /** Which of two compared settings are shown. */
  side: Side;
  onSide: (side: Side) => void;
}

/** The settings, or those of A and B in turn while two are compared. */
export function SettingsPanel({ models, side, onSide }: SettingsPanelProps) {
  const { state } = usePlayground();
  if (!state.rival) {
    return <SettingsForm models={models} />;
  }
  return (
    <div className="grid gap-4">
      <fieldset className="grid grid-cols-2 gap-1 rounded-md bg-sunken p-1">
        <legend className="sr-only">Settings of</legend>
        {(["main", "rival"] as const).map((one) => (
          <Button
            key={one}
            variant="ghost"
            aria-pressed={side === one}
            onClick={() => onSide(one)}
            className={cn(side === one && "bg-surface text-ink shadow-sm")}
          >
            <SideMark side={one} />
            <span className="sr-only">Settings of {one === "main" ? "A" : "B"}</span>
          </Button>
        ))}
      </fieldset>
      <SettingsForm key={side} models={models} side={side} />
    </div>
  );
}
