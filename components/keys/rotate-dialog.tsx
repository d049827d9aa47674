"use client";

import { useForm } from "react-hook-form";
import { RadioCard } from "@/components/ui/choice";
import { FormDialog } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useRotateKey } from "@/lib/keys/client";
import type { Key, OVERLAPS } from "@/lib/keys/schema";
import type { KeyOptions } from "./labels";
import { NewSecret, SHOWN_ONCE } from "./new-secret";

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
export function RotateDialog({ apiKey: key, models, ...handlers }: RotateDialogProps) {
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
