"use client";

import { useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/form-error";
import { AppError } from "@/lib/errors";
import { useCreateKey } from "@/lib/keys/client";
import type { CreatedKey } from "@/lib/keys/schema";
import {
  ExpiryField,
  type ModelChoice,
  ModelsField,
  NameAndMode,
  ScopesField,
} from "./key-fields";
import {
  fieldOf,
  type KeyForm,
  NEW_KEY,
  resolveKeyForm,
  toCreateKey,
} from "./key-form";
import { KnowledgeFields } from "./knowledge-fields";
import { SecretStep } from "./secret-step";
import type { DialogEnd } from "./use-dialogs";

interface CreateKeyDialogProps extends DialogEnd {
  models: ModelChoice[];
  email: string;
}

/** Makes a key: first the form, then, once, its secret. */
export function CreateKeyDialog({
  models,
  email,
  onClose,
  onCloseAutoFocus,
}: CreateKeyDialogProps) {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const [isTouched, setIsTouched] = useState(false);
  // One dialog for both steps, so that the focus stays inside and returns to what opened it.
  return (
    <Dialog
      title={created ? "Save your key" : "Create key"}
      description={
        created &&
        "Its secret is shown this once. Keep it where only your service can read it."
      }
      size="lg"
      isDismissable={!isTouched}
      onClose={created ? undefined : onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      {created ? (
        <SecretStep created={created} models={models} onDone={onClose} />
      ) : (
        <CreateKeyForm
          models={models}
          email={email}
          onCancel={onClose}
          onCreated={setCreated}
          onTouched={() => setIsTouched(true)}
        />
      )}
    </Dialog>
  );
}

interface CreateKeyFormProps {
  models: ModelChoice[];
  email: string;
  onCancel: () => void;
  onCreated: (created: CreatedKey) => void;
  /** Something was typed or chosen. */
  onTouched: () => void;
}

function CreateKeyForm({
  models,
  email,
  onCancel,
  onCreated,
  onTouched,
}: CreateKeyFormProps) {
  const form = useForm<KeyForm>({
    defaultValues: NEW_KEY,
    resolver: resolveKeyForm,
  });
  const creation = useCreateKey();
  const create = form.handleSubmit(async (values) => {
    try {
      onCreated(await creation.mutateAsync(toCreateKey(values)));
    } catch (error) {
      showRefusal(form.setError, error);
    }
  });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={create}
        onChange={onTouched}
        className="flex min-h-0 flex-col"
      >
        <DialogBody>
          <NameAndMode />
          <KnowledgeFields email={email} />
          <ScopesField />
          <ModelsField models={models} />
          <ExpiryField />
          <FormError message={creation.error?.message} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onCancel}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={creation.isPending}
          >
            Create key
          </Button>
        </DialogFooter>
      </form>
    </FormProvider>
  );
}

type SetError = ReturnType<typeof useForm<KeyForm>>["setError"];

/** Puts the server's refusal beside the field it speaks of. */
function showRefusal(setError: SetError, error: unknown): void {
  const field = error instanceof AppError ? fieldOf(error.param) : null;
  if (field && error instanceof AppError) {
    setError(field, { message: error.message }, { shouldFocus: true });
  }
}
