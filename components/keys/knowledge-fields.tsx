import { useFormContext, useWatch } from "react-hook-form";
import { Checkbox, RadioCard } from "@/components/ui/choice";
import { Field, FieldSet } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { KNOWLEDGE_SCOPES } from "@/lib/auth/schema";
import { type KeyForm, knowledgeOf } from "./key-form";
import { KNOWLEDGE_LABELS } from "./labels";

const PRESETS = [
  {
    value: "company",
    label: "Public + your documents",
    description: "For a service that answers from your account's documents.",
  },
  {
    value: "personal",
    label: "Public + personal documents",
    description: "For a service that answers one person from their own documents.",
  },
  {
    value: "custom",
    label: "Custom",
    description: "Any knowledge bases, or none.",
  },
] as const;

/** Which knowledge bases the key may read, and whose. */
export function KnowledgeFields({ email }: { email: string }) {
  const { register, formState } = useFormContext<KeyForm>();
  const [preset, knowledge_scopes] = useWatch<KeyForm, ["preset", "knowledge_scopes"]>({
    name: ["preset", "knowledge_scopes"],
  });
  const isPersonal = knowledgeOf({ preset, knowledge_scopes }).includes("personal_kb");
  return (
    <>
      <FieldSet legend="Knowledge bases" error={formState.errors.knowledge_scopes?.message}>
        <div className="grid gap-2">
          {PRESETS.map((option) => (
            <RadioCard key={option.value} {...register("preset")} {...option} />
          ))}
        </div>
        {preset === "custom" && <CustomKnowledge />}
      </FieldSet>
      {isPersonal && <PersonField email={email} />}
    </>
  );
}

function CustomKnowledge() {
  const { register } = useFormContext<KeyForm>();
  return (
    <div className="grid gap-2 rounded-md border p-2.5 sm:grid-cols-3">
      {KNOWLEDGE_SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          {...register("knowledge_scopes")}
          value={scope}
          label={KNOWLEDGE_LABELS[scope].name}
          description={KNOWLEDGE_LABELS[scope].about}
        />
      ))}
    </div>
  );
}

function PersonField({ email }: { email: string }) {
  const { register, formState } = useFormContext<KeyForm>();
  const kind = useWatch<KeyForm, "person_kind">({ name: "person_kind" });
  return (
    <FieldSet
      legend="Person"
      hint="The key reads and writes this person's documents only, for good."
    >
      <div className="grid gap-2 sm:grid-cols-2">
        <RadioCard {...register("person_kind")} value="member" label="Me" description={email} />
        <RadioCard
          {...register("person_kind")}
          value="external"
          label="Someone else"
          description="A reference of your own."
        />
      </div>
      {kind === "external" && (
        <Field
          label="Person reference"
          hint="How your service names this person. Keys with the same reference share documents."
          error={formState.errors.person?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...register("person")}
              autoComplete="off"
              placeholder="patient-123"
            />
          )}
        </Field>
      )}
    </FieldSet>
  );
}
