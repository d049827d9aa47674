"use client";

import { FormProvider, useForm } from "react-hook-form";
import { FormDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useCreateKey, useUpdateKey } from "@/lib/keys/client";
import type { Key } from "@/lib/keys/schema";
import {
  ExpiryField,
  KnowledgeFields,
  LimitFields,
  ModeField,
  ModelsField,
  NameField,
  ScopesField,
} from "./key-fields";
import {
  type KeyForm,
  NEW_KEY,
  resolveKeyChange,
  resolveKeyForm,
  showFieldError,
  toCreateKey,
  toKeyForm,
  toUpdateKey,
} from "./key-form";
import type { KeyOptions } from "./labels";
import { NewSecret, SHOWN_ONCE } from "./new-secret";

/** Creates a key: first the form, then its secret, shown once. */
export function CreateKeyDialog({
  models,
  limits,
  email,
  ...handlers
}: KeyOptions & DialogHandlers) {
  const creation = useCreateKey();
  const form = useForm<KeyForm>({ defaultValues: NEW_KEY, resolver: resolveKeyForm });
  const create = form.handleSubmit((values) =>
    creation.mutate(toCreateKey(values), {
      onError: (error) => showFieldError(form.setError, error),
    }),
  );
  const created = creation.data;
  return (
    <FormProvider {...form}>
      <FormDialog
        title={created ? "Save your key" : "Create key"}
        description={created && SHOWN_ONCE}
        size="lg"
        isDismissable={!form.formState.isDirty}
        submitLabel="Create key"
        isPending={creation.isPending}
        error={creation.error?.message}
        onSubmit={create}
        result={
          created && <NewSecret created={created} models={models} onDone={handlers.onClose} />
        }
        {...handlers}
      >
        <NameField />
        <ModeField />
        <KnowledgeFields email={email} />
        <ScopesField />
        <ModelsField models={models} />
        <ExpiryField />
        <LimitFields limits={limits} />
      </FormDialog>
    </FormProvider>
  );
}

interface EditKeyDialogProps extends Omit<KeyOptions, "email">, DialogHandlers {
  apiKey: Key;
}

/** Changes a key's name, models and limits. Everything else is fixed when the key is created. */
export function EditKeyDialog({ apiKey: key, models, limits, ...handlers }: EditKeyDialogProps) {
  const change = useUpdateKey(key.id);
  const form = useForm<KeyForm>({
    defaultValues: toKeyForm(key, models),
    resolver: resolveKeyChange,
  });
  const save = form.handleSubmit((values) =>
    change.mutate(toUpdateKey(values), {
      onError: (error) => showFieldError(form.setError, error),
      onSuccess: ({ name }) => {
        handlers.onClose();
        toast.success(`Key “${name}” saved`);
      },
    }),
  );
  return (
    <FormProvider {...form}>
      <FormDialog
        title={`Edit “${key.name}”`}
        description="Changes apply from the next request. The secret and scopes stay the same."
        size="lg"
        isDismissable={!form.formState.isDirty}
        submitLabel="Save"
        isPending={change.isPending}
        error={change.error?.message}
        onSubmit={save}
        {...handlers}
      >
        <NameField />
        <ModelsField models={models} />
        <LimitFields limits={limits} />
      </FormDialog>
    </FormProvider>
  );
}
