"use client";

import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { Input } from "@/components/ui/input";
import { formatUsd } from "@/components/ui/usd";
import { useCloseAccount } from "@/lib/auth/settings-client";
import { AppError } from "@/lib/errors";
import { formatDays } from "./labels";
import type { DialogEnd } from "./use-dialogs";

interface DeleteDialogProps extends DialogEnd {
  accountName: string;
  balanceUsd: string;
  usageDays: number;
  activityDays: number;
}

/** Says what goes and what has to stay, and asks for the account's name. */
export function DeleteDialog({
  accountName,
  balanceUsd,
  usageDays,
  activityDays,
  onClose,
  onCloseAutoFocus,
}: DeleteDialogProps) {
  const closing = useCloseAccount();
  const form = useForm({ defaultValues: { confirmation: "" } });
  const { errors } = form.formState;
  const remove = form.handleSubmit((values) =>
    closing.mutate(values, {
      onSuccess: () => window.location.assign("/"),
      onError: (error) => {
        const isOfName = error instanceof AppError && error.param === "confirmation";
        const field = isOfName ? "confirmation" : "root";
        form.setError(field, { message: error.message }, { shouldFocus: true });
      },
    }),
  );
  const isAtWork = closing.isPending || closing.isSuccess;
  const cancel = () => !isAtWork && onClose();
  return (
    <Dialog
      title={`Delete “${accountName}”?`}
      description="This cannot be undone."
      isDismissable={!form.formState.isDirty}
      onClose={cancel}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <form noValidate onSubmit={remove} className="flex min-h-0 flex-col">
        <DialogBody>
          <Facts title="Deleted at once">
            <li>all members, their sessions and open invitations</li>
            <li>all API keys: requests with them fail from now on</li>
            <li>all documents of the account and of its persons, with their index</li>
            <li>all stored answers, and the account&rsquo;s name</li>
          </Facts>
          <Facts title="Kept, without names, e-mail addresses or text">
            <li>
              ledger entries and payments: amounts, times and references, as financial records
            </li>
            <li>
              usage records: counts and costs,{" "}
              {usageDays === 0 ? "for ever" : `deleted after ${formatDays(usageDays)}`}
            </li>
            <li>
              activity: what was done when, by ids alone,{" "}
              {activityDays === 0 ? "for ever" : `deleted after ${formatDays(activityDays)}`}
            </li>
          </Facts>
          <p>
            The balance of <strong className="font-medium">{formatUsd(balanceUsd)}</strong> can no
            more be used.
          </p>
          <Field
            label={
              <>
                Type <code className="break-all font-mono text-xs">{accountName}</code> to confirm
              </>
            }
            error={errors.confirmation?.message}
          >
            {(control) => (
              <Input {...control} {...form.register("confirmation")} autoComplete="off" />
            )}
          </Field>
          <FormError message={errors.root?.message} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={cancel}>Cancel</Button>
          <Button type="submit" variant="danger" isPending={isAtWork}>
            Delete account
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1.5">
      <h3 className="font-medium">{title}</h3>
      <ul className="grid list-disc gap-1 pl-5 text-muted">{children}</ul>
    </section>
  );
}
