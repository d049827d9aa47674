"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { RadioCard } from "@/components/ui/choice";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Field, FieldSet } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { useInvite } from "@/lib/auth/settings-client";
import { Invite, type Invited } from "@/lib/auth/settings-schema";
import { AppError } from "@/lib/errors";
import { ROLE_LABELS } from "./labels";
import type { DialogEnd } from "./use-dialogs";

const NOBODY: Invite = { email: "", role: "member" };

/** Invites somebody; where no mail can be sent, shows the link this once. */
export function InviteDialog({ onClose, onCloseAutoFocus }: DialogEnd) {
  const invitation = useInvite();
  const made = invitation.data;
  // Closed meanwhile, it would leave a link that nobody has seen.
  const cancel = () => !invitation.isPending && onClose();
  return (
    <Dialog
      title={made ? "Send this link yourself" : "Invite a member"}
      description={
        made
          ? "It is shown this once. Whoever opens it first joins the account."
          : "A link that works once, for seven days, and that you can revoke."
      }
      onClose={made ? undefined : cancel}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      {made?.link ? (
        <LinkStep email={made.email} link={made.link} onDone={onClose} />
      ) : (
        <InviteForm invitation={invitation} onCancel={cancel} onSent={onClose} />
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  invitation: ReturnType<typeof useInvite>;
  onCancel: () => void;
  onSent: () => void;
}

function InviteForm({ invitation, onCancel, onSent }: InviteFormProps) {
  const form = useForm({ defaultValues: NOBODY, resolver: zodResolver(Invite) });
  const { errors } = form.formState;
  const finish = ({ email, link }: Invited) => {
    if (!link) {
      onSent();
      toast.success(`An invitation is on its way to ${email}`);
    }
  };
  const refuse = (error: Error) => {
    const isOfEmail = error instanceof AppError && error.param === "email";
    form.setError(isOfEmail ? "email" : "root", { message: error.message }, { shouldFocus: true });
  };
  const invite = form.handleSubmit((values) =>
    invitation.mutate(values, { onSuccess: finish, onError: refuse }),
  );
  return (
    <form noValidate onSubmit={invite} className="flex min-h-0 flex-col">
      <DialogBody>
        <Field label="E-mail" error={errors.email?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register("email")}
              type="email"
              autoFocus
              autoComplete="off"
              placeholder="ben@example.org"
            />
          )}
        </Field>
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
        <FormError message={errors.root?.message} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" isPending={invitation.isPending}>
          Invite
        </Button>
      </DialogFooter>
    </form>
  );
}

interface LinkStepProps {
  email: string;
  link: string;
  onDone: () => void;
}

function LinkStep({ email, link, onDone }: LinkStepProps) {
  return (
    <>
      <DialogBody>
        <section aria-label="Link" className="grid gap-2">
          <h3 className="break-words font-medium">For {email}</h3>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-accent bg-accent-soft p-2 pl-3">
            <code className="min-w-0 break-all font-mono text-xs leading-5">{link}</code>
            <CopyButton text={link} label="Copy link" autoFocus />
          </div>
        </section>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          I have copied it
        </Button>
      </DialogFooter>
    </>
  );
}
