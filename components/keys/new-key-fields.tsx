import { useFormContext, useWatch } from "react-hook-form";
import { Checkbox } from "@/components/ui/choice";
import { FieldSet, registerField, TextField } from "@/components/ui/field";
import type { KeyOptions } from "@/lib/money/keys/schema";
import { KNOWLEDGE_SCOPES, SCOPES } from "@/lib/platform/auth/schema";
import {
  Choices,
  LimitFields,
  ModelsField,
  NameField,
  type Option,
  QueryModeField,
} from "./key-fields";
import { type KeyForm, knowledgeOf } from "./key-form";
import { KNOWLEDGE_LABELS, SCOPE_LABELS } from "./labels";

const ACCESSES: Option[] = [
  {
    value: "chat",
    label: "Chat with citations",
    description: "Answers questions and searches your knowledge bases.",
  },
  {
    value: "search",
    label: "Read-only search",
    description: "Searches and reads documents. Changes nothing.",
  },
  {
    value: "everything",
    label: "Everything",
    description: "Also uploads and deletes documents, and reads and tops up the balance.",
  },
  { value: "custom", label: "Choose scopes", description: "Exactly the endpoints you pick." },
];

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

interface NewKeyFieldsProps extends KeyOptions {
  isAdvanced: boolean;
  onAdvanced: (isOpen: boolean) => void;
}

/** The fields of a new key: what most keys need first, the rest behind Advanced. */
export function NewKeyFields({ models, limits, email, stores, ...props }: NewKeyFieldsProps) {
  return (
    <>
      <NameField />
      <FieldSet legend="Mode">
        <Choices name="mode" options={MODES} className="sm:grid-cols-2" />
      </FieldSet>
      <AccessField />
      <KnowledgeFields email={email} />
      {stores.length > 0 && <StoresField stores={stores} />}
      <details
        open={props.isAdvanced}
        onToggle={({ currentTarget }) => props.onAdvanced(currentTarget.open)}
        className="group border-t pt-4"
      >
        <summary className="w-fit cursor-pointer rounded-sm font-medium">
          Advanced
          <span className="ml-2 font-normal text-muted text-xs group-open:hidden">
            Models, follow-up questions, expiry and limits
          </span>
        </summary>
        <div className="mt-4 grid gap-5">
          <ModelsField models={models} />
          <QueryModeField />
          <ExpiryField />
          <LimitFields limits={limits} />
        </div>
      </details>
    </>
  );
}

function AccessField() {
  const { formState } = useFormContext<KeyForm>();
  const access = useWatch<KeyForm, "access">({ name: "access" });
  return (
    <FieldSet legend="What it can do" error={formState.errors.scopes?.message}>
      <Choices name="access" options={ACCESSES} className="sm:grid-cols-2" />
      {access === "custom" && (
        <Choices
          name="scopes"
          options={PERMISSIONS}
          className="gap-x-4 gap-y-2.5 rounded-md border p-2.5 sm:grid-cols-2"
          as={Checkbox}
        />
      )}
    </FieldSet>
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

/** Which vector stores of these knowledge bases the key is bound to, or none of them. */
function StoresField({ stores }: Pick<KeyOptions, "stores">) {
  const { formState } = useFormContext<KeyForm>();
  const [preset, knowledge_scopes] = useWatch<KeyForm, ["preset", "knowledge_scopes"]>({
    name: ["preset", "knowledge_scopes"],
  });
  const knowledge = knowledgeOf({ preset, knowledge_scopes });
  const options = [
    ...KNOWLEDGE_BASES.filter(({ value }) => knowledge.some((scope) => scope === value)),
    ...stores
      .filter(({ scope }) => knowledge.includes(scope))
      .map(({ id, name }) => ({ value: id, label: name || id, description: name && id })),
  ];
  return (
    <FieldSet
      legend="Vector stores"
      hint="Choose none for all documents of the knowledge bases. You can’t change this later."
      error={formState.errors.stores?.message}
    >
      <Choices
        name="stores"
        options={options}
        className="max-h-48 gap-x-4 gap-y-2.5 overflow-y-auto rounded-md border p-2.5 sm:grid-cols-2"
        as={Checkbox}
      />
    </FieldSet>
  );
}

function PersonField({ email }: { email: string }) {
  const form = useFormContext<KeyForm>();
  const kind = useWatch<KeyForm, "person_kind">({ name: "person_kind" });
  const options = [
    { value: "member", label: "Me", description: email },
    {
      value: "external",
      label: "Someone else",
      description: "Identified by a reference you choose.",
    },
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

function ExpiryField() {
  const form = useFormContext<KeyForm>();
  const expiry = useWatch<KeyForm, "expiry">({ name: "expiry" });
  return (
    <FieldSet legend="Expires">
      <Choices name="expiry" options={EXPIRIES} className="grid-cols-2 sm:grid-cols-3" />
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
