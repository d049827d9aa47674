"use client";

import { X } from "lucide-react";
import { type ChangeEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { FieldSet, TextField } from "@/components/ui/field";
import { Listbox, ListboxField, toOptions } from "@/components/ui/listbox";
import { OWN_FIELDS } from "@/lib/library/documents/filter-value";
import {
  COMPARISONS,
  type Condition,
  type FilterForm,
  findRejection,
  isComplete,
  MAX_CONDITIONS,
} from "./filter-form";

const HINT = `Name an attribute, or one of ${Object.keys(OWN_FIELDS).join(", ")}. A condition without a value isn’t applied.`;

interface FilterBuilderProps {
  form: FilterForm;
  onChange: (form: FilterForm) => void;
  /** The filter of the last request, and why it failed. */
  sent: unknown;
  error: Parameters<typeof findRejection>[2];
}

/** Conditions on the documents to search. */
export function FilterBuilder({ form, onChange, sent, error }: FilterBuilderProps) {
  const { match, conditions } = form;
  const rows = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(-1);
  const rejection = findRejection(form, sent, error);
  const replace = (index: number, ...replacement: Condition[]) =>
    onChange({ ...form, conditions: conditions.toSpliced(index, 1, ...replacement) });
  return (
    <FieldSet legend="Filter conditions" hint={!conditions.every(isComplete) && HINT}>
      <div ref={rows} tabIndex={-1} className="grid gap-3 outline-none [overflow-wrap:anywhere]">
        {conditions.length > 1 && (
          <Listbox
            label="Documents match"
            value={match}
            onChange={(value) => onChange({ ...form, match: value === "or" ? "or" : "and" })}
            options={toOptions({ and: "All conditions", or: "Any condition" })}
            className="w-44"
          />
        )}
        {conditions.map((condition, index) => (
          <ConditionFields
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their order.
            key={index}
            number={index + 1}
            condition={condition}
            errors={rejection?.condition === condition ? rejection.errors : {}}
            onChange={(changes) => replace(index, { ...condition, ...changes })}
            onRemove={() => {
              replace(index);
              rows.current?.focus();
            }}
            autoFocus={index === added}
          />
        ))}
        {conditions.length < MAX_CONDITIONS && (
          <Button
            size="sm"
            className="justify-self-start"
            onClick={() => {
              setAdded(conditions.length);
              replace(conditions.length, { key: "", type: "eq", value: "" });
            }}
          >
            Add condition
          </Button>
        )}
      </div>
    </FieldSet>
  );
}

interface ConditionFieldsProps {
  /** Counts from 1. */
  number: number;
  autoFocus: boolean;
  condition: Condition;
  errors: Partial<Record<"key" | "value", string>>;
  onChange: (changes: Partial<Condition>) => void;
  onRemove: () => void;
}

function ConditionFields({ condition, errors, onChange, ...props }: ConditionFieldsProps) {
  const register = (name: "key" | "value") => ({
    value: condition[name],
    error: errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChange({ [name]: target.value }),
  });
  return (
    <fieldset className="flex min-w-0 flex-wrap items-start gap-2 [&>div]:min-w-0 [&>div]:flex-1 [&>div]:basis-32">
      <legend className="sr-only">Condition {props.number}</legend>
      <TextField label="Attribute" autoFocus={props.autoFocus} {...register("key")} />
      <ListboxField
        label="Comparison"
        value={condition.type}
        onChange={(type) => onChange({ type: type as Condition["type"] })}
        options={toOptions(COMPARISONS)}
      />
      <TextField label="Value" autoComplete="off" {...register("value")} />
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove condition ${props.number}`}
        className="mt-7"
        onClick={props.onRemove}
      >
        <X aria-hidden />
      </Button>
    </fieldset>
  );
}
