"use client";

import { FormProvider, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/form-error";
import { useCreateKey } from "@/lib/keys/client";
import {
  ExpiryField,
  ModeField,
  type ModelChoice,
  ModelsField,
  NameField,
  ScopesField,
} from "./key-fields";
import { type KeyForm, NEW_KEY, resolveKeyForm, showRefusal, toCreateKey } from "./key-form";
import { KnowledgeFields } from "./knowledge-fields";
import { LimitFields, type ServerLimits } from "./limit-fields";
import { SecretStep } from "./secret-step";
import type { DialogEnd } from "./use-dialogs";

interface CreateKeyDialogProps extends DialogEnd {
  models: ModelChoice[];
  limits: ServerLimits;
  email: string;
}

/** Makes a key: first the form, then, once, its secret. */
export function CreateKeyDialog({
  models,
  limits,
  email,
  onClose,
  onCloseAutoFocus,
}: CreateKeyDialogProps) {
  const creation = useCreateKey();
  const form = useForm<KeyForm>({
    defaultValues: NEW_KEY,
    resolver: resolveKeyForm,
  });
  const create = form.handleSubmit((values) =>
    creation.mutate(toCreateKey(values), {
      onError: (error) => showRefusal(form.setError, error),
    }),
  );
  // Closed while the key is being made, it would leave a key whose secret nobody has seen.
  const cancel = () => !creation.isPending && onClose();
  const created = creation.data;
  // One dialog for both steps, so that the focus stays inside and returns to what opened it.
  return (
    <Dialog
      {...(created ? SECRET_WORDS : FORM_LABELS)}
      size="lg"
      isDismissable={!form.formState.isDirty}
      onClose={created ? undefined : cancel}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      {created ? (
        <SecretStep created={created} models={models} onDone={onClose} />
      ) : (
        <FormProvider {...form}>
          <form noValidate onSubmit={create} className="flex min-h-0 flex-col">
            <DialogBody>
              <NameField />
              <ModeField />
              <KnowledgeFields email={email} />
              <ScopesField />
              <ModelsField models={models} />
              <ExpiryField />
              <LimitFields limits={limits} />
              <FormError message={creation.error?.message} />
            </DialogBody>
            <DialogFooter>
              <Button onClick={cancel}>Cancel</Button>
              <Button type="submit" variant="primary" isPending={creation.isPending}>
                Create key
              </Button>
            </DialogFooter>
          </form>
        </FormProvider>
      )}
    </Dialog>
  );
}

const FORM_LABELS = { title: "Create key" };
const SECRET_WORDS = {
  title: "Save your key",
  description: "Its secret is shown this once. Keep it where only your service can read it.",
};
