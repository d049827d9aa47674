import type { ReactNode } from "react";
import { type FieldPathByValue, useFormContext, useWatch } from "react-hook-form";
import { Checkbox, RadioCard } from "@/components/ui/choice";
import { Field, FieldSet, registerField, TextField } from "@/components/ui/field";
import { UsdInput } from "@/components/ui/input";
import { cn } from "@/lib/cn";
import type { KeyOptions } from "@/lib/money/keys/schema";
import type { KeyForm } from "./key-form";
import { QUERY_MODE_LABELS } from "./labels";

export interface Option {
  value: string;
  label: ReactNode;
  description?: ReactNode;
}

const QUERY_MODES: Option[] = Object.entries(QUERY_MODE_LABELS).map(([value, { name, about }]) => ({
  value,
  label: name,
  description: about,
}));

interface ChoicesProps {
  name: FieldPathByValue<KeyForm, string | readonly string[]>;
  options: readonly Option[];
  className?: string;
  /** Check boxes, of which several can be chosen, instead of radio cards. */
  as?: typeof Checkbox;
}

export function Choices({ name, options, className, ...props }: ChoicesProps) {
  const { register } = useFormContext<KeyForm>();
  const Choice = props.as ?? RadioCard;
  const field = register(name);
  return (
    <div className={cn("grid gap-2", className)}>
      {options.map((option) => (
        <Choice key={option.value} {...field} {...option} />
      ))}
    </div>
  );
}

/** The fields that can change later. */
export function KeyFields({ models, limits }: Omit<KeyOptions, "email" | "stores">) {
  return (
    <>
      <NameField />
      <ModelsField models={models} />
      <QueryModeField />
      <LimitFields limits={limits} />
    </>
  );
}

export function NameField() {
  const form = useFormContext<KeyForm>();
  return (
    <TextField
      label="Name"
      {...registerField(form, "name")}
      autoFocus
      autoComplete="off"
      placeholder="Intake assistant"
    />
  );
}

export function ModelsField({ models }: Pick<KeyOptions, "models">) {
  const { formState } = useFormContext<KeyForm>();
  const choice = useWatch<KeyForm, "model_choice">({ name: "model_choice" });
  const defaultModel = models.find(({ isDefault }) => isDefault)?.id;
  const options = [
    {
      value: "all",
      label: "All models",
      description: "Also those added later.",
    },
    {
      value: "default",
      label: "Default model",
      description: <code className="wrap-anywhere font-mono">{defaultModel}</code>,
    },
    {
      value: "chosen",
      label: "Selected models",
      description: "Only the models you select.",
    },
  ];
  return (
    <FieldSet legend="Models" error={formState.errors.models?.message}>
      <Choices name="model_choice" options={options} />
      {choice === "all" && (
        <ul className="flex max-h-48 flex-wrap gap-x-3 gap-y-1 overflow-y-auto text-muted">
          {models.map(({ id }) => (
            <li key={id}>
              <code className="wrap-anywhere font-mono text-xs">{id}</code>
            </li>
          ))}
        </ul>
      )}
      {choice === "chosen" && (
        <Choices
          name="models"
          options={models.map(({ id, isDefault }) => ({
            value: id,
            label: <code className="wrap-anywhere font-mono text-xs">{id}</code>,
            description: isDefault && "The default model",
          }))}
          className="max-h-48 overflow-y-auto rounded-md border p-2.5"
          as={Checkbox}
        />
      )}
    </FieldSet>
  );
}

export function QueryModeField() {
  return (
    <FieldSet legend="Search with" hint="For requests that don’t set citations.query.">
      <Choices name="query_mode" options={QUERY_MODES} className="sm:grid-cols-2" />
    </FieldSet>
  );
}

/** How much the key may spend per month, and how fast. */
export function LimitFields({ limits }: Pick<KeyOptions, "limits">) {
  const form = useFormContext<KeyForm>();
  const { error: budgetError, ...budget } = registerField(form, "monthly_budget_usd");
  const count = { inputMode: "numeric", autoComplete: "off", className: "tabular-nums" } as const;
  return (
    <FieldSet
      legend="Limits"
      hint="Optional. Requests that could exceed the remaining budget are rejected until the month ends (UTC)."
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label="Monthly budget (USD)" hint="Default: none" error={budgetError}>
          {(control) => <UsdInput {...control} {...budget} />}
        </Field>
        <TextField
          label="Requests per minute"
          {...registerField(form, "requests_per_minute")}
          {...count}
          hint={`Default: ${limits.requests.toLocaleString("en-US")}`}
        />
        <TextField
          label="Tokens per minute"
          {...registerField(form, "tokens_per_minute")}
          {...count}
          hint={`Default: ${limits.tokens.toLocaleString("en-US")}`}
        />
      </div>
    </FieldSet>
  );
}
