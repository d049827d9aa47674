"use client";

import { useId, useState } from "react";
import { Listbox } from "@/components/ui/listbox";
import type { Rates } from "@/lib/money/billing/schema";
import { type MonthlyUse, monthlyCost, toCount } from "./monthly-cost";

type Model = Rates["models"][number];

const SLIDERS: { name: keyof MonthlyUse; label: string; max: number; step: number }[] = [
  { name: "answers", label: "Answers per month", max: 500_000, step: 1000 },
  { name: "promptTokens", label: "Prompt tokens each, sources included", max: 10_000, step: 100 },
  { name: "completionTokens", label: "Answer tokens each", max: 2000, step: 20 },
];
const START: MonthlyUse = { answers: 50_000, promptTokens: 2400, completionTokens: 280 };

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** An estimate of a month, from the rates that charges use. */
export function CostCalculator({ models }: { models: readonly Model[] }) {
  const [id, setId] = useState(models[0]?.id ?? "");
  const [use, setUse] = useState(START);
  const model = models.find((each) => each.id === id) ?? models[0];
  if (!model) {
    return null;
  }
  return (
    <div className="grid overflow-hidden rounded-2xl border bg-surface md:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="grid gap-5 p-5 sm:p-6">
        <Listbox
          label="Model"
          value={model.id}
          onChange={setId}
          options={models.map((each) => ({ value: each.id, name: each.id }))}
        />
        {SLIDERS.map(({ name, ...slider }) => (
          <Slider
            key={name}
            {...slider}
            value={use[name]}
            onChange={(value) => setUse({ ...use, [name]: value })}
          />
        ))}
      </div>
      <div className="grid content-center gap-5 border-t bg-canvas p-5 sm:p-6 md:border-t-0 md:border-l">
        <Result label="With citations" usd={monthlyCost(model.grounded, use)} isMain />
        <Result label="Without" usd={monthlyCost(model.core, use)} />
      </div>
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  max: number;
  step: number;
  onChange: (value: number) => void;
}

function Slider({ label, value, max, step, onChange }: SliderProps) {
  const id = useId();
  // What is being typed; formatting it would move the caret.
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="text-muted">
          {label}
        </label>
        <input
          type="text"
          inputMode="numeric"
          aria-label={`${label}, as a number`}
          value={draft ?? value.toLocaleString("en-US")}
          onChange={(event) => {
            setDraft(event.target.value);
            onChange(toCount(event.target.value));
          }}
          onBlur={() => setDraft(null)}
          className="w-32 rounded-md border border-transparent bg-transparent px-1.5 py-0.5 text-right font-medium tabular-nums hover:border-control focus:border-control"
        />
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-6 w-full accent-[var(--color-accent)]"
      />
    </div>
  );
}

function Result({ label, usd, isMain = false }: { label: string; usd: number; isMain?: boolean }) {
  return (
    <p className="grid gap-0.5">
      <span className="text-muted">{label}</span>
      <span
        className={`tabular-nums [overflow-wrap:anywhere] ${isMain ? "font-medium font-serif text-4xl tracking-[-0.02em]" : "font-medium text-lg"}`}
      >
        {dollars.format(usd)}
      </span>
      <span className="text-muted text-xs">per month</span>
    </p>
  );
}
