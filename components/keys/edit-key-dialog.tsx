"use client";

import { FormProvider, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/form-error";
import { toast } from "@/components/ui/toast";
import { useUpdateKey } from "@/lib/keys/client";
import type { Key } from "@/lib/keys/schema";
import { type ModelChoice, ModelsField, NameField } from "./key-fields";
import { formOf, type KeyForm, resolveKeyChange, showRefusal, toUpdateKey } from "./key-form";
import { LimitFields, type ServerLimits } from "./limit-fields";
import type { DialogEnd } from "./use-dialogs";

interface EditKeyDialogProps extends DialogEnd {
  apiKey: Key;
  models: ModelChoice[];
  limits: ServerLimits;
}

/** Changes what of a key may change; its secret, scopes and knowledge bases stay. */
export function EditKeyDialog({
  apiKey: key,
  models,
  limits,
  onClose,
  onCloseAutoFocus,
}: EditKeyDialogProps) {
  const change = useUpdateKey(key.id);
  const form = useForm<KeyForm>({ defaultValues: formOf(key, models), resolver: resolveKeyChange });
  const save = form.handleSubmit((values) =>
    change.mutate(toUpdateKey(values), {
      onError: (error) => showRefusal(form.setError, error),
      onSuccess: ({ name }) => {
        onClose();
        toast.success(`Key “${name}” is saved`);
      },
    }),
  );
  const cancel = () => !change.isPending && onClose();
  return (
    <Dialog
      title={`Edit “${key.name}”`}
      description="Its secret and its scopes stay as they are. Changes count from the next request on."
      size="lg"
      isDismissable={!form.formState.isDirty}
      onClose={cancel}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <FormProvider {...form}>
        <form noValidate onSubmit={save} className="flex min-h-0 flex-col">
          <DialogBody>
            <NameField />
            <ModelsField models={models} />
            <LimitFields limits={limits} />
            <FormError message={change.error?.message} />
          </DialogBody>
          <DialogFooter>
            <Button onClick={cancel}>Cancel</Button>
            <Button type="submit" variant="primary" isPending={change.isPending}>
              Save
            </Button>
          </DialogFooter>
        </form>
      </FormProvider>
    </Dialog>
  );
}
