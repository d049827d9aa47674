"use client";

import { ChevronsUpDown } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { type ControlProps, Field } from "./field";
import type { ListboxOption } from "./listbox-panel";

const loadPanel = () => import("./listbox-panel");
// Loaded when the pointer or the focus comes near.
const ListboxPanel = lazy(async () => ({ default: (await loadPanel()).ListboxPanel }));

interface ListboxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly ListboxOption[];
  /** The label of an empty value. Without it, there is always a value. */
  all?: string;
  /** The label is for assistive technology only. */
  isLabelHidden?: boolean;
  /** Of the `Field` that it is in, whose label is shown in place of its own. */
  control?: ControlProps;
  className?: string;
}

/** Options of values with their names. */
export function toOptions(names: Readonly<Record<string, string>>): ListboxOption[] {
  return Object.entries(names).map(([value, name]) => ({ value, name }));
}

/** A choice from a list that can be searched. Highlighted while it filters something. */
export function Listbox({ label, value, onChange, options, all, control, ...props }: ListboxProps) {
  const ownId = useId();
  const id = control?.id ?? ownId;
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // On the closed list, as in a native one.
  const [typed, setTyped] = useState("");
  const shown = all === undefined ? options : [{ value: "", name: all }, ...options];
  const chosen = shown.find((option) => option.value === value);
  const isFilter = all !== undefined && value !== "";
  const prepare = () => void loadPanel().catch(() => undefined);
  return (
    <div className={cn("grid min-w-0 gap-1 print:hidden", props.className)}>
      {!control && (
        <span id={`${id}-label`} className={props.isLabelHidden ? "sr-only" : "text-muted text-xs"}>
          {label}
        </span>
      )}
      <button
        {...control}
        ref={trigger}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-labelledby={`${id}-label ${id}-value`}
        onClick={() => setIsOpen(!isOpen)}
        onPointerEnter={prepare}
        onFocus={prepare}
        onKeyDown={(event) => {
          const isText = event.key.length === 1 && event.key !== " ";
          const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
          if (event.key === "ArrowDown" || event.key === "ArrowUp" || (isText && !hasModifier)) {
            event.preventDefault();
            // Letters aren't shortcuts here.
            event.stopPropagation();
            setTyped((before) => (isText ? before + event.key : before));
            setIsOpen(true);
          }
        }}
        className={cn(
          "flex h-9 w-full min-w-0 items-center gap-1.5 rounded-md border border-control bg-surface px-2.5 text-left text-base text-ink aria-invalid:border-danger sm:text-sm",
          isFilter && "border-accent bg-accent-soft",
        )}
      >
        <span id={`${id}-value`} className="min-w-0 flex-1 truncate">
          {chosen?.name ?? value}
        </span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </button>
      <Suspense>
        {isOpen && (
          <ListboxPanel
            id={`${id}-list`}
            label={label}
            trigger={trigger}
            value={value}
            options={shown}
            onChoose={onChange}
            typed={typed}
            onClose={() => {
              setIsOpen(false);
              setTyped("");
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

interface ListboxFieldProps extends Omit<ListboxProps, "control" | "isLabelHidden"> {
  /** Shown in place of the label. */
  heading?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A `Listbox` in a form, with its label, hint and error. */
export function ListboxField({ heading, hint, error, ...list }: ListboxFieldProps) {
  return (
    <Field label={heading ?? list.label} hint={hint} error={error}>
      {(control) => <Listbox control={control} {...list} />}
    </Field>
  );
}
