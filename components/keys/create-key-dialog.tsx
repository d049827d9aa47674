"use client";

import { FormProvider, useForm } from "react-hook-form";
import { Dialog, DialogForm } from "@/components/ui/dialog";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useCreateKey } from "@/lib/keys/client";
import {
  ExpiryField,
  KnowledgeFields,
  LimitFields,
  ModeField,
  type ModelChoice,
  ModelsField,
  NameField,
  ScopesField,
  type ServerLimits,
} from "./key-fields";
import { type KeyForm, NEW_KEY, resolveKeyForm, showFieldError, toCreateKey } from "./key-form";
import { NewSecret, SHOWN_ONCE } from "./new-secret";

interface CreateKeyDialogProps extends DialogHandlers {
  models: ModelChoice[];
  limits: ServerLimits;
  email: string;
}

/** Creates a key: first the form, then its secret, shown once. */
export function CreateKeyDialog({ models, limits, email, ...dialog }: CreateKeyDialogProps) {
  const creation = useCreateKey();
  const form = useForm<KeyForm>({ defaultValues: NEW_KEY, resolver: resolveKeyForm });
  const create = form.handleSubmit((values) =>
    creation.mutate(toCreateKey(values), {
      onError: (error) => showFieldError(form.setError, error),
    }),
  );
  // Closing it during the request would create a key whose secret nobody has seen.
  const cancel = () => !creation.isPending && dialog.onClose();
  const created = creation.data;
  // One dialog for both steps, so that focus stays inside and returns to the opener.
  return (
    <Dialog
      title={created ? "Save your key" : "Create key"}
      description={created && SHOWN_ONCE}
      size="lg"
      isDismissable={!form.formState.isDirty}
      onClose={created ? undefined : cancel}
      onCloseAutoFocus={dialog.onCloseAutoFocus}
    >
      {created ? (
        <NewSecret created={created} models={models} onDone={dialog.onClose} />
      ) : (
        <FormProvider {...form}>
          <DialogForm
            submitLabel="Create key"
            isPending={creation.isPending}
            error={creation.error?.message}
            onSubmit={create}
            onCancel={cancel}
          >
            <NameField />
            <ModeField />
            <KnowledgeFields email={email} />
            <ScopesField />
            <ModelsField models={models} />
            <ExpiryField />
            <LimitFields limits={limits} />
          </DialogForm>
        </FormProvider>
      )}
    </Dialog>
  );
}
