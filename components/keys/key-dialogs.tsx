import { useState } from "react";
import { flushSync } from "react-dom";
import { FormProvider, useForm } from "react-hook-form";
import { RadioCard } from "@/components/ui/choice";
import { AlertDialog, FormDialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers, useDialog } from "@/components/ui/use-dialog";
import { AppError } from "@/lib/errors";
import { useCreateKey, useRevokeKey, useRotateKey, useUpdateKey } from "@/lib/money/keys/client";
import type { Key, KeyOptions, OVERLAPS } from "@/lib/money/keys/schema";
import { KeyFields } from "./key-fields";
import {
  fieldOf,
  type KeyForm,
  NEW_KEY,
  resolveKeyChange,
  resolveKeyForm,
  showFieldError,
  toCreateKey,
  toKeyForm,
  toUpdateKey,
} from "./key-form";
import type { KeyDialogKind } from "./labels";
import { NewKeyFields } from "./new-key-fields";
import { NewSecret, SHOWN_ONCE } from "./new-secret";

interface KeyDialogsProps extends KeyOptions {
  keys: Key[];
  dialog: ReturnType<typeof useDialog<KeyDialogKind>>;
}

/** The dialog that is open, if any. */
export function KeyDialogs({ keys, dialog, ...options }: KeyDialogsProps) {
  const { open, finish, handlers } = dialog;
  const { models, limits } = options;
  if (open?.kind === "create") {
    return <CreateKeyDialog options={options} {...handlers} />;
  }
  const apiKey = keys.find(({ id }) => id === open?.id);
  if (!apiKey) {
    return null;
  }
  switch (open?.kind) {
    case "edit":
      return <EditKeyDialog apiKey={apiKey} models={models} limits={limits} {...handlers} />;
    case "rotate":
      return <RotateDialog apiKey={apiKey} models={models} {...handlers} />;
    case "revoke":
      return <RevokeDialog apiKey={apiKey} onRevoked={finish} {...handlers} />;
  }
}

const ADVANCED = [
  "models",
  "expires_at",
  "monthly_budget_usd",
  "requests_per_minute",
  "tokens_per_minute",
] as const satisfies (keyof KeyForm)[];

/** Creates a key: first the form, then its secret, shown once. */
function CreateKeyDialog({ options, ...handlers }: { options: KeyOptions } & DialogHandlers) {
  const creation = useCreateKey();
  const form = useForm<KeyForm>({ defaultValues: NEW_KEY, resolver: resolveKeyForm });
  const [isAdvanced, setIsAdvanced] = useState(false);
  // Before a field in there gets the focus, which a hidden one can't.
  const showAll = () => flushSync(() => setIsAdvanced(true));
  const create = form.handleSubmit(
    (values) =>
      creation.mutate(toCreateKey(values), {
        onError: (error) => {
          if (error instanceof AppError && ADVANCED.some((name) => name === fieldOf(error.param))) {
            showAll();
          }
          showFieldError(form.setError, error);
        },
      }),
    (errors) => ADVANCED.some((name) => errors[name]) && showAll(),
  );
  const created = creation.data;
  return (
    <FormProvider {...form}>
      <FormDialog
        title={created ? "Save your key" : "Create key"}
        description={created && SHOWN_ONCE}
        size="sheet"
        isDismissable={!form.formState.isDirty}
        submitLabel="Create key"
        isPending={creation.isPending}
        error={creation.error?.message}
        onSubmit={create}
        result={
          created && (
            <NewSecret created={created} models={options.models} onDone={handlers.onClose} />
          )
        }
        {...handlers}
      >
        <NewKeyFields {...options} isAdvanced={isAdvanced} onAdvanced={setIsAdvanced} />
      </FormDialog>
    </FormProvider>
  );
}

interface EditKeyDialogProps extends Omit<KeyOptions, "email" | "stores">, DialogHandlers {
  apiKey: Key;
}

/** Changes a key's name, models and limits. Everything else is fixed when the key is created. */
function EditKeyDialog({ apiKey: key, models, limits, ...handlers }: EditKeyDialogProps) {
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
        size="sheet"
        isDismissable={!form.formState.isDirty}
        submitLabel="Save"
        isPending={change.isPending}
        error={change.error?.message}
        onSubmit={save}
        {...handlers}
      >
        <KeyFields models={models} limits={limits} />
      </FormDialog>
    </FormProvider>
  );
}

type Overlap = (typeof OVERLAPS)[number];

const OPTIONS: { value: Overlap; label: string; description: string }[] = [
  {
    value: "0",
    label: "Now",
    description: "If the secret may have leaked. Services still using it fail immediately.",
  },
  { value: "3600", label: "In 1 hour", description: "For one service that you update by hand." },
  { value: "86400", label: "In 24 hours", description: "For a service that you deploy daily." },
  {
    value: "604800",
    label: "In 7 days",
    description: "For several services, or services that others run.",
  },
];

interface RotateDialogProps extends Pick<KeyOptions, "models">, DialogHandlers {
  apiKey: Key;
}

/** Gives a key a new secret: asks how long the current one keeps working, then shows the new one once. */
function RotateDialog({ apiKey: key, models, ...handlers }: RotateDialogProps) {
  const rotation = useRotateKey(key.id);
  const form = useForm<{ overlap: Overlap }>({ defaultValues: { overlap: "86400" } });
  const rotate = form.handleSubmit(({ overlap }) =>
    rotation.mutate({ overlap_seconds: Number(overlap) }),
  );
  const rotated = rotation.data;
  return (
    <FormDialog
      title={rotated ? "Save the new secret" : `Rotate “${key.name}”`}
      description={
        rotated
          ? SHOWN_ONCE
          : "The key gets a new secret. Name, scopes, limits and usage stay the same."
      }
      size="lg"
      submitLabel="Rotate key"
      isPending={rotation.isPending}
      error={rotation.error && `The key wasn’t rotated. ${rotation.error.message}`}
      onSubmit={rotate}
      result={rotated && <NewSecret created={rotated} models={models} onDone={handlers.onClose} />}
      {...handlers}
    >
      <FieldSet
        legend="When the current secret stops working"
        hint={
          <>
            Until then, <code className="font-mono">{key.display}</code> and the new secret both
            work. Revoking the key disables both.
          </>
        }
      >
        <div className="grid gap-2 sm:grid-cols-2">
          {OPTIONS.map((option) => (
            <RadioCard key={option.value} {...form.register("overlap")} {...option} />
          ))}
        </div>
      </FieldSet>
    </FormDialog>
  );
}

interface RevokeDialogProps extends DialogHandlers {
  apiKey: Key;
  onRevoked: () => void;
}

function RevokeDialog({ apiKey: key, onRevoked, ...dialog }: RevokeDialogProps) {
  const revocation = useRevokeKey();
  const revoke = () =>
    revocation.mutate(key.id, {
      onSuccess: () => {
        onRevoked();
        toast.success(`Key “${key.name}” revoked`);
      },
    });
  return (
    <AlertDialog
      title={`Revoke “${key.name}”?`}
      description={
        <>
          Requests with <code className="font-mono text-ink text-xs">{key.display}</code> will fail
          immediately
          {key.scopes.includes("keys:write") && ", and so will those of keys that it created"}. This
          can’t be undone. Your other keys keep working.
        </>
      }
      error={revocation.error && `The key wasn’t revoked. ${revocation.error.message}`}
      action="Revoke key"
      onAction={revoke}
      isPending={revocation.isPending}
      {...dialog}
    />
  );
}
