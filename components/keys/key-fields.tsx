import { useFormContext, useWatch } from "react-hook-form";
import { Checkbox, RadioCard } from "@/components/ui/choice";
import { Field, FieldSet } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SCOPES } from "@/lib/auth/schema";
import type { KeyForm } from "./key-form";
import { SCOPE_LABELS } from "./labels";

/** A model the form offers. */
export interface ModelChoice {
  id: string;
  isDefault: boolean;
}

const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "365 days" },
  { value: "date", label: "On a date" },
] as const;

export function NameField() {
  const { register, formState } = useFormContext<KeyForm>();
  return (
    <Field label="Name" error={formState.errors.name?.message}>
      {(control) => (
        <Input
          {...control}
          {...register("name")}
          autoFocus
          autoComplete="off"
          placeholder="Intake assistant"
        />
      )}
    </Field>
  );
}

export function ModeField() {
  const { register } = useFormContext<KeyForm>();
  return (
    <FieldSet legend="Mode">
      <div className="grid gap-2 sm:grid-cols-2">
        <RadioCard
          {...register("mode")}
          value="live"
          label="Live"
          description="For a service that people rely on."
        />
        <RadioCard
          {...register("mode")}
          value="test"
          label="Test"
          description="For development. Draws on the same balance."
        />
      </div>
    </FieldSet>
  );
}

export function ScopesField() {
  const { register, formState } = useFormContext<KeyForm>();
  return (
    <FieldSet legend="Scopes" error={formState.errors.scopes?.message}>
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            {...register("scopes")}
            value={scope}
            label={<code className="font-mono text-xs">{scope}</code>}
            description={SCOPE_LABELS[scope]}
          />
        ))}
      </div>
    </FieldSet>
  );
}

export function ModelsField({ models }: { models: ModelChoice[] }) {
  const { register, formState } = useFormContext<KeyForm>();
  const choice = useWatch<KeyForm, "model_choice">({ name: "model_choice" });
  return (
    <FieldSet legend="Models" error={formState.errors.models?.message}>
      <div className="grid gap-2 sm:grid-cols-2">
        <RadioCard
          {...register("model_choice")}
          value="default"
          label="Default model"
          description={<DefaultModel models={models} />}
        />
        <RadioCard
          {...register("model_choice")}
          value="chosen"
          label="Chosen models"
          description="Only the ones you tick."
        />
      </div>
      {choice === "chosen" && (
        <div className="grid max-h-48 gap-2 overflow-y-auto rounded-md border p-2.5">
          {models.map(({ id, isDefault }) => (
            <Checkbox
              key={id}
              {...register("models")}
              value={id}
              label={<code className="break-all font-mono text-xs">{id}</code>}
              description={isDefault && "The default model"}
            />
          ))}
        </div>
      )}
    </FieldSet>
  );
}

function DefaultModel({ models }: { models: ModelChoice[] }) {
  return (
    <code className="break-all font-mono">{models.find(({ isDefault }) => isDefault)?.id}</code>
  );
}

export function ExpiryField() {
  const { register, formState } = useFormContext<KeyForm>();
  const expiry = useWatch<KeyForm, "expiry">({ name: "expiry" });
  const error = formState.errors.expires_at?.message;
  return (
    <FieldSet legend="Expires">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {EXPIRIES.map((option) => (
          <RadioCard key={option.value} {...register("expiry")} {...option} />
        ))}
      </div>
      {expiry === "date" && (
        <Field label="Last day" hint="Until the end of that day in your time zone." error={error}>
          {(control) => (
            <Input {...control} {...register("expires_at")} type="date" className="sm:w-48" />
          )}
        </Field>
      )}
    </FieldSet>
  );
}
