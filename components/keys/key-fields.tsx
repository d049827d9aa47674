import type { ReactNode } from "react";
import { type FieldPathByValue, useFormContext, useWatch } from "react-hook-form";
import { Checkbox, RadioCard } from "@/components/ui/choice";
import { Field, FieldSet, registerField, TextField } from "@/components/ui/field";
import { UsdInput } from "@/components/ui/input";
import { KNOWLEDGE_SCOPES, SCOPES } from "@/lib/auth/schema";
import { cn } from "@/lib/cn";
import { type KeyForm, knowledgeOf } from "./key-form";
import { type KeyOptions, KNOWLEDGE_LABELS, QUERY_MODE_LABELS, SCOPE_LABELS } from "./labels";

interface Option {
  value: string;
  label: ReactNode;
  description?: ReactNode;
}

const MODES: Option[] = [
  { value: "live", label: "Live", description: "For production." },
  { value: "test", label: "Test", description: "For development. Uses the same balance." },
];

const PRESETS: Option[] = [
  {
    value: "company",
    label: "Public + your documents",
    description: "For a service that answers from your account’s documents.",
  },
  {
    value: "personal",
    label: "Public + personal documents",
    description: "For a service that answers one person from their own documents.",
  },
  { value: "custom", label: "Custom", description: "Any knowledge bases, or none." },
];

const EXPIRIES: Option[] = [
  { value: "never", label: "Never" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "365 days" },
  { value: "date", label: "On a date" },
];

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

function Choices({ name, options, className, as: Choice = RadioCard }: ChoicesProps) {
  const { register } = useFormContext<KeyForm>();
  return (
    <div className={cn("grid gap-2", className)}>
      {options.map((option) => (
        <Choice key={option.value} {...register(name)} {...option} />
      ))}
    </div>
  );
}

const KNOWLEDGE_BASES: readonly Option[] = KNOWLEDGE_SCOPES.map((scope) => ({
  value: scope,
  label: KNOWLEDGE_LABELS[scope].name,
  description: KNOWLEDGE_LABELS[scope].about,
}));

const PERMISSIONS: readonly Option[] = SCOPES.map((scope) => ({
  value: scope,
  label: <code className="font-mono text-xs">{scope}</code>,
  description: SCOPE_LABELS[scope],
}));

/** The fields of a new key. */
export function NewKeyFields({ models, limits, email }: KeyOptions) {
  const { formState } = useFormContext<KeyForm>();
  return (
    <>
      <NameField />
      <FieldSet legend="Mode">
        <Choices name="mode" options={MODES} className="sm:grid-cols-2" />
      </FieldSet>
      <KnowledgeFields email={email} />
      <FieldSet legend="Scopes" error={formState.errors.scopes?.message}>
        <Choices
          name="scopes"
          options={PERMISSIONS}
          className="gap-x-4 gap-y-2.5 sm:grid-cols-2"
          as={Checkbox}
        />
      </FieldSet>
      <ModelsField models={models} />
      <QueryModeField />
      <ExpiryField />
      <LimitFields limits={limits} />
    </>
  );
}

/** The fields that can change later. */
export function KeyFields({ models, limits }: Omit<KeyOptions, "email">) {
  return (
    <>
      <NameField />
      <ModelsField models={models} />
      <QueryModeField />
      <LimitFields limits={limits} />
    </>
  );
}

function NameField() {
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

/** Which knowledge bases the key may read, and whose. */
function KnowledgeFields({ email }: { email: string }) {
  const { formState } = useFormContext<KeyForm>();
  const [preset, knowledge_scopes] = useWatch<KeyForm, ["preset", "knowledge_scopes"]>({
    name: ["preset", "knowledge_scopes"],
  });
  return (
    <>
      <FieldSet legend="Knowledge bases" error={formState.errors.knowledge_scopes?.message}>
        <Choices name="preset" options={PRESETS} />
        {preset === "custom" && (
          <Choices
            name="knowledge_scopes"
            options={KNOWLEDGE_BASES}
            className="rounded-md border p-2.5 sm:grid-cols-3"
            as={Checkbox}
          />
        )}
      </FieldSet>
      {knowledgeOf({ preset, knowledge_scopes }).includes("personal_kb") && (
        <PersonField email={email} />
      )}
    </>
  );
}

function PersonField({ email }: { email: string }) {
  const form = useFormContext<KeyForm>();
  const kind = useWatch<KeyForm, "person_kind">({ name: "person_kind" });
  const options = [
    { value: "member", label: "Me", description: email },
    { value: "external", label: "Someone else", description: "Identified by your own reference." },
  ];
  return (
    <FieldSet
      legend="Person"
      hint="The key can only read and write this person’s documents. You can’t change this later."
    >
      <Choices name="person_kind" options={options} className="sm:grid-cols-2" />
      {kind === "external" && (
        <TextField
          label="Person reference"
          hint="The ID your service uses for this person. Keys with the same reference share documents."
          {...registerField(form, "person")}
          autoComplete="off"
          placeholder="patient-123"
        />
      )}
    </FieldSet>
  );
}

function ModelsField({ models }: Pick<KeyOptions, "models">) {
  const { formState } = useFormContext<KeyForm>();
  const choice = useWatch<KeyForm, "model_choice">({ name: "model_choice" });
  const defaultModel = models.find(({ isDefault }) => isDefault)?.id;
  const options = [
    {
      value: "default",
      label: "Default model",
      description: <code className="break-all font-mono">{defaultModel}</code>,
    },
    {
      value: "chosen",
      label: "Selected models",
      description: "Only the models you select.",
    },
  ];
  return (
    <FieldSet legend="Models" error={formState.errors.models?.message}>
      <Choices name="model_choice" options={options} className="sm:grid-cols-2" />
      {choice === "chosen" && (
        <Choices
          name="models"
          options={models.map(({ id, isDefault }) => ({
            value: id,
            label: <code className="break-all font-mono text-xs">{id}</code>,
            description: isDefault && "The default model",
          }))}
          className="max-h-48 overflow-y-auto rounded-md border p-2.5"
          as={Checkbox}
        />
      )}
    </FieldSet>
  );
}

function QueryModeField() {
  return (
    <FieldSet legend="Search with" hint="For requests that don’t set citations.query.">
      <Choices name="query_mode" options={QUERY_MODES} className="sm:grid-cols-2" />
    </FieldSet>
  );
}

function ExpiryField() {
  const form = useFormContext<KeyForm>();
  const expiry = useWatch<KeyForm, "expiry">({ name: "expiry" });
  return (
    <FieldSet legend="Expires">
      <Choices name="expiry" options={EXPIRIES} className="grid-cols-2 sm:grid-cols-5" />
      {expiry === "date" && (
        <TextField
          label="Last day"
          hint="Valid until the end of this day in your time zone."
          {...registerField(form, "expires_at")}
          type="date"
          className="sm:w-48"
        />
      )}
    </FieldSet>
  );
}

/** How much the key may spend per month, and how fast. */
function LimitFields({ limits }: Pick<KeyOptions, "limits">) {
  const form = useFormContext<KeyForm>();
  const { error: budgetError, ...budget } = registerField(form, "monthly_budget_usd");
  const count = { inputMode: "numeric", autoComplete: "off", className: "tabular-nums" } as const;
  return (
    <FieldSet
      legend="Limits"
      hint="Optional. Requests that could exceed the remaining budget are rejected until the month ends (UTC)."
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label="Monthly budget (USD)" error={budgetError}>
          {(control) => <UsdInput {...control} {...budget} placeholder="No budget" />}
        </Field>
        <TextField
          label="Requests per minute"
          {...registerField(form, "requests_per_minute")}
          {...count}
          placeholder={limits.requests.toLocaleString("en-US")}
        />
        <TextField
          label="Tokens per minute"
          {...registerField(form, "tokens_per_minute")}
          {...count}
          placeholder={limits.tokens.toLocaleString("en-US")}
        />
      </div>
    </FieldSet>
  );
}
