import { useForm } from "react-hook-form";
import { showServerError } from "@/components/auth/form-errors";
import { FormDialog } from "@/components/ui/dialog";
import { registerField, TextField } from "@/components/ui/field";
import { formatUsd } from "@/components/ui/usd";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useCloseAccount } from "@/lib/platform/auth/settings-client";
import { formatRetention, type Retention } from "./labels";

interface DeleteDialogProps extends DialogHandlers {
  accountName: string;
  balanceUsd: string;
  retention: Retention;
}

/** Lists what is deleted and what is kept, and asks for the account's name. */
export function DeleteDialog({
  accountName,
  balanceUsd,
  retention,
  ...handlers
}: DeleteDialogProps) {
  const closing = useCloseAccount();
  const form = useForm({ defaultValues: { confirmation: "" } });
  const { errors, isDirty } = form.formState;
  const remove = form.handleSubmit((values) =>
    closing.mutate(values, {
      onSuccess: () => window.location.assign("/"),
      onError: (error) => showServerError(form.setError, error, ["confirmation"]),
    }),
  );
  return (
    <FormDialog
      title={`Delete “${accountName}”?`}
      description="This can’t be undone."
      isDismissable={!isDirty}
      submitLabel="Delete account"
      isDestructive
      isPending={closing.isPending || closing.isSuccess}
      error={errors.root?.message}
      onSubmit={remove}
      {...handlers}
    >
      <Consequences
        title="Deleted immediately"
        items={[
          "Members, their sessions and pending invitations",
          "API keys: requests with them will fail",
          "Documents, including personal ones, and their index",
          "Stored answers and the account name",
        ]}
      />
      <Consequences
        title="Kept, without names, emails or text"
        items={[
          "Ledger entries and payments (amounts, times and references), as financial records",
          `Usage records (counts and costs), ${formatRetention(retention.usageDays)}`,
          `Activity (IDs only), ${formatRetention(retention.activityDays)}`,
        ]}
      />
      <p>
        Your remaining balance of <strong className="font-medium">{formatUsd(balanceUsd)}</strong>{" "}
        will be forfeited.
      </p>
      <TextField
        label={
          <>
            Type <code className="break-all font-mono text-xs">{accountName}</code> to confirm
          </>
        }
        {...registerField(form, "confirmation")}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function Consequences({ title, items }: { title: string; items: string[] }) {
  return (
    <section className="grid gap-1.5">
      <h3 className="font-medium">{title}</h3>
      <ul className="grid list-disc gap-1 pl-5 text-muted">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  );
}
