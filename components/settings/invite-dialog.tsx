import { zodResolver } from "@hookform/resolvers/zod";
import { type UseFormReturn, useForm } from "react-hook-form";
import { showServerError } from "@/components/auth/form-errors";
import { RadioCard } from "@/components/ui/choice";
import { FormDialog } from "@/components/ui/dialog";
import { FieldSet, registerField, TextField } from "@/components/ui/field";
import { SecretPanel } from "@/components/ui/secret-panel";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useInvite } from "@/lib/platform/auth/settings-client";
import { Invite } from "@/lib/platform/auth/settings-schema";
import { plainIssue } from "@/lib/platform/http/plain-issues";
import { ROLE_LABELS } from "./labels";

const BLANK: Invite = { email: "", role: "member" };

/** Invites someone. If the server sends no email, shows the link once. */
export function InviteDialog(handlers: DialogHandlers) {
  const invitation = useInvite();
  const sent = invitation.data;
  const form = useForm({
    defaultValues: BLANK,
    resolver: zodResolver(Invite, { error: plainIssue }),
  });
  const invite = form.handleSubmit((values) =>
    invitation.mutate(values, {
      onSuccess: ({ email, link }) => {
        if (!link) {
          handlers.onClose();
          toast.success(`Invitation sent to ${email}`);
        }
      },
      onError: (error) => showServerError(form.setError, error, ["email"]),
    }),
  );
  return (
    <FormDialog
      title={sent ? "Send this link yourself" : "Invite a member"}
      description={
        sent
          ? "It’s shown only once. The first person to open it joins the account."
          : "The link works once and expires in seven days. You can revoke it."
      }
      submitLabel="Invite"
      isPending={invitation.isPending}
      error={form.formState.errors.root?.message}
      onSubmit={invite}
      result={
        sent?.link && (
          <SecretPanel
            label="Link"
            heading={`For ${sent.email}`}
            secret={sent.link}
            copyLabel="Copy link"
            doneLabel="I’ve copied it"
            onDone={handlers.onClose}
          />
        )
      }
      {...handlers}
    >
      <InviteFields form={form} />
    </FormDialog>
  );
}

function InviteFields({ form }: { form: UseFormReturn<Invite> }) {
  return (
    <>
      <TextField
        label="Email"
        {...registerField(form, "email")}
        type="email"
        autoFocus
        autoComplete="off"
        placeholder="ben@example.org"
      />
      <FieldSet legend="Role">
        <div className="grid gap-2">
          {(["member", "owner"] as const).map((role) => (
            <RadioCard
              key={role}
              {...form.register("role")}
              value={role}
              label={ROLE_LABELS[role].name}
              description={ROLE_LABELS[role].about}
            />
          ))}
        </div>
      </FieldSet>
    </>
  );
}
