"use client";

import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Moment } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { useRevokeInvitation } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { ROLE_LABELS } from "./labels";

/** Invitations that nobody has accepted yet. */
export function InvitationList({ invitations }: Pick<Settings, "invitations">) {
  return (
    <ul aria-label="Open invitations" className="divide-y border-t">
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  );
}

function InvitationRow({ invitation }: { invitation: Settings["invitations"][number] }) {
  const revocation = useRevokeInvitation();
  const revoke = () =>
    revocation.mutate(invitation.id, {
      onSuccess: () => toast.success(`The invitation of ${invitation.email} is revoked`),
    });
  return (
    <li className="grid gap-3 p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 break-words">{invitation.email}</span>
            <Badge tone="warning">Invited</Badge>
            <Badge tone="neutral">{ROLE_LABELS[invitation.role].name}</Badge>
          </span>
          <span className="text-muted text-xs">
            The link works until <Moment value={invitation.expires_at} />
          </span>
        </div>
        <Button size="sm" isPending={revocation.isPending} onClick={revoke}>
          Revoke<span className="sr-only"> the invitation of {invitation.email}</span>
        </Button>
      </div>
      <FormError message={revocation.error?.message} />
    </li>
  );
}
