"use client";

import { useId, useState } from "react";
import { Input } from "@/components/ui/input";
import { isRange, today } from "@/lib/usage/filter";

interface DayRangeProps {
  from: string;
  to: string;
  onChange: (range: { from: string; to: string }) => void;
}

/** Two days of one's own choice. What is no range yet stays in the fields and changes nothing. */
export function DayRange({ onChange, ...range }: DayRangeProps) {
  const id = useId();
  const [draft, setDraft] = useState(range);
  const [known, setKnown] = useState(range);
  // The address changed by itself, as Back does.
  if (known.from !== range.from || known.to !== range.to) {
    setKnown(range);
    setDraft(range);
  }
  const edit = (change: Partial<typeof draft>) => {
    const next = { ...draft, ...change };
    setDraft(next);
    if (next.from && next.to && isRange(next.from, next.to)) {
      onChange(next);
    }
  };
  const isWrong = Boolean(draft.from && draft.to) && !isRange(draft.from, draft.to);
  return (
    <>
      {(["from", "to"] as const).map((end) => (
        <label key={end} htmlFor={`${id}-${end}`} className="grid min-w-0 gap-1">
          <span className="text-muted text-xs">{end === "from" ? "From" : "To"}</span>
          <Input
            id={`${id}-${end}`}
            type="date"
            value={draft[end]}
            max={today()}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? id : undefined}
            onChange={(event) => edit({ [end]: event.target.value })}
            className="sm:h-8"
          />
        </label>
      ))}
      <p id={id} aria-live="polite" className="col-span-full text-danger text-xs empty:hidden">
        {isWrong && "Choose a start date before the end date, at most 366 days apart."}
      </p>
    </>
  );
}
