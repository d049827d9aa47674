"use client";

import { FormProvider, useForm } from "react-hook-form";
import { Dialog, DialogForm } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useUpdateKey } from "@/lib/keys/client";
import type { Key } from "@/lib/keys/schema";
import {
  LimitFields,
  type ModelChoice,
  ModelsField,
  NameField,
  type ServerLimits,
} from "./key-fields";
import { type KeyForm, resolveKeyChange, showFieldError, toKeyForm, toUpdateKey } from "./key-form";

interface EditKeyDialogProps extends DialogHandlers {
  apiKey: Key;
  models: ModelChoice[];
  limits: ServerLimits;
}

/** Changes a key's name, models and limits. Everything else is fixed when the key is created. */
export function EditKeyDialog({ apiKey: key, models, limits, ...dialog }: EditKeyDialogProps) {
  const change = useUpdateKey(key.id);
  const form = useForm<KeyForm>({
    defaultValues: toKeyForm(key, models),
    resolver: resolveKeyChange,
  });
  const save = form.handleSubmit((values) =>
    change.mutate(toUpdateKey(values), {
      onError: (error) => showFieldError(form.setError, error),
      onSuccess: ({ name }) => {
        dialog.onClose();
        toast.success(`Key “${name}” saved`);
      },
    }),
  );
  const cancel = () => !change.isPending && dialog.onClose();
  return (
    <Dialog
      title={`Edit “${key.name}”`}
      description="Changes apply from the next request. The secret and scopes stay the same."
      size="lg"
      isDismissable={!form.formState.isDirty}
      onClose={cancel}
      onCloseAutoFocus={dialog.onCloseAutoFocus}
    >
      <FormProvider {...form}>
        <DialogForm
          submitLabel="Save"
          isPending={change.isPending}
          error={change.error?.message}
          onSubmit={save}
          onCancel={cancel}
        >
          <NameField />
          <ModelsField models={models} />
          <LimitFields limits={limits} />
        </DialogForm>
      </FormProvider>
    </Dialog>
  );
}
