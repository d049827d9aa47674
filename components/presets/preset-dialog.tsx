"use client";

import { useForm } from "react-hook-form";
import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import { Checkbox } from "@/components/ui/choice";
import { FormDialog } from "@/components/ui/dialog";
import { FieldSet, registerField, TextField } from "@/components/ui/field";
import { ListboxField, toOptions } from "@/components/ui/listbox";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useSavePreset } from "@/lib/answers/presets/client";
import type { Preset } from "@/lib/answers/presets/schema";
import { KNOWLEDGE_SCOPES } from "@/lib/platform/auth/schema";
import { CHOICES } from "./labels";
import { NEW_PRESET, type PresetForm, toCitations, toForm } from "./preset-form";

interface PresetDialogProps extends DialogHandlers {
  /** Null creates one. */
  preset: Preset | null;
  models: readonly string[];
}

/** Creates a preset, or changes the settings of one. */
export function PresetDialog({ preset, models, ...handlers }: PresetDialogProps) {
  const named = { name: preset?.name ?? "", model: preset?.model ?? models[0] ?? "" };
  const form = useForm<PresetForm>({
    defaultValues: toForm(preset?.citations ?? NEW_PRESET, named),
  });
  const saving = useSavePreset();
  const submit = form.handleSubmit((values) =>
    saving.mutate(
      {
        id: preset?.id ?? null,
        name: values.name.trim(),
        model: values.model,
        citations: toCitations(values, preset?.citations),
      },
      {
        onSuccess: () => {
          toast.success(preset ? "Preset saved" : "Preset created");
          handlers.onClose();
        },
      },
    ),
  );
  return (
    <FormDialog
      title={preset ? preset.model_id : "Create preset"}
      description="Settings in a request override the preset’s."
      isDismissable={!form.formState.isDirty}
      submitLabel={preset ? "Save preset" : "Create preset"}
      isPending={saving.isPending}
      error={saving.error?.message}
      onSubmit={submit}
      {...handlers}
    >
      {!preset && <Naming form={form} models={models} />}
      <FieldSet legend="Knowledge bases">
        <div className="grid gap-2">
          {KNOWLEDGE_SCOPES.map((source) => (
            <Checkbox
              key={source}
              label={KNOWLEDGE_LABELS[source]?.name ?? source}
              value={source}
              {...form.register("sources")}
            />
          ))}
          <p className="text-muted text-xs">
            Select none to search everything the key can read. Requests fail if the key can’t read a
            selected one.
          </p>
        </div>
      </FieldSet>
      <TextField
        label="Sources given to the model"
        hint="1 to 50. Leave empty for the default."
        inputMode="numeric"
        autoComplete="off"
        {...registerField(form, "top_k")}
        {...form.register("top_k", {
          validate: (value) =>
            /^\s*(?:[1-9]|[1-4]\d|50)?\s*$/.test(value) || "Enter a number from 1 to 50.",
        })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {CHOICES.map(({ name, label, options }) => (
          <ListboxField
            key={name}
            label={label}
            value={form.watch(name)}
            onChange={(value) => form.setValue(name, value, { shouldDirty: true })}
            options={toOptions(options)}
          />
        ))}
      </div>
      <Checkbox
        label="Fail requests when the search can’t run"
        description="Otherwise the model answers without sources."
        {...form.register("required")}
      />
    </FormDialog>
  );
}

interface NamingProps {
  form: ReturnType<typeof useForm<PresetForm>>;
  models: readonly string[];
}

function Naming({ form, models }: NamingProps) {
  const [name, model] = form.watch(["name", "model"]);
  return (
    <>
      <ListboxField
        label="Model"
        value={model}
        onChange={(id) => form.setValue("model", id, { shouldDirty: true })}
        options={models.map((id) => ({ value: id, name: id }))}
      />
      <TextField
        label="Name"
        hint={`Clients choose the model ${model}:${name.trim() || "name"}. You can’t change the name or the model later.`}
        autoComplete="off"
        spellCheck={false}
        {...registerField(form, "name")}
        {...form.register("name", {
          validate: (value) =>
            /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/.test(value.trim()) ||
            "Use lowercase letters, digits, “.”, “-” and “_”, with a letter or digit at both ends.",
        })}
      />
    </>
  );
}
