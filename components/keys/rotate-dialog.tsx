"use client";

import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { RadioCard } from "@/components/ui/choice";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { FieldSet } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { useRotateKey } from "@/lib/keys/client";
import type { Key, OVERLAPS } from "@/lib/keys/schema";
import type { ModelChoice } from "./key-fields";
import { SecretStep } from "./secret-step";
import type { DialogEnd } from "./use-dialogs";

type Overlap = (typeof OVERLAPS)[number];

const OVERLAP_WORDS: Record<Overlap, { label: string; description: string }> = {
  "0": {
    label: "Now",
    description: "For a secret that may have leaked. Whoever uses it fails at once.",
  },
  "3600": { label: "In 1 hour", description: "For one service that you change by hand." },
  "86400": { label: "In 24 hours", description: "For a service that is released every day." },
  "604800": { label: "In 7 days", description: "For several services, or ones that others run." },
};
/** Written out: an object's keys that are numbers come in their own order. */
const ORDER: Overlap[] = ["0", "3600", "86400", "604800"];

interface RotateDialogProps extends DialogEnd {
  apiKey: Key;
  models: ModelChoice[];
}

/** Gives a key a new secret: first asks how long the present one goes on working, then shows the new one once. */
export function RotateDialog({
  apiKey: key,
  models,
  onClose,
  onCloseAutoFocus,
}: RotateDialogProps) {
  const rotation = useRotateKey(key.id);
  const form = useForm<{ overlap: Overlap }>({ defaultValues: { overlap: "86400" } });
  const rotate = form.handleSubmit(({ overlap }) =>
    rotation.mutate({ overlap_seconds: Number(overlap) }),
  );
  // Closed meanwhile, it would leave a secret that nobody has seen.
  const cancel = () => !rotation.isPending && onClose();
  const made = rotation.data;
  return (
    <Dialog
      title={made ? "Save the new secret" : `Rotate “${key.name}”`}
      description={
        made
          ? "It is shown this once. Keep it where only your service can read it."
          : "The key gets a new secret. Its budget, limits, scopes and usage stay one key's."
      }
      size="lg"
      onClose={made ? undefined : cancel}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      {made ? (
        <SecretStep created={made} models={models} onDone={onClose} />
      ) : (
        <form onSubmit={rotate} className="flex min-h-0 flex-col">
          <DialogBody>
            <FieldSet
              legend="When the present secret ends"
              hint={
                <>
                  Until then, <code className="font-mono">{key.display}</code> and the new one both
                  work. Revoking the key ends both.
                </>
              }
            >
              <div className="grid gap-2 sm:grid-cols-2">
                {ORDER.map((value) => (
                  <RadioCard
                    key={value}
                    {...form.register("overlap")}
                    {...OVERLAP_WORDS[value]}
                    value={value}
                  />
                ))}
              </div>
            </FieldSet>
            <FormError
              message={rotation.error && `Nothing has changed. ${rotation.error.message}`}
            />
          </DialogBody>
          <DialogFooter>
            <Button onClick={cancel}>Cancel</Button>
            <Button type="submit" variant="primary" isPending={rotation.isPending}>
              Rotate key
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
