import { UserPlus } from "lucide-react";
import { lazy, Suspense } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Day, Moment } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { useDialog } from "@/components/ui/use-dialog";
import { useChangeRole, useRevokeInvitation } from "@/lib/platform/auth/settings-client";
import type { Settings } from "@/lib/platform/auth/settings-schema";
import { ROLE_LABELS } from "./labels";
import { Section } from "./section";

const InviteDialog = lazy(async () => ({
  default: (await import("./invite-dialog")).InviteDialog,
}));
const RemoveDialog = lazy(async () => ({
  default: (await import("./remove-dialog")).RemoveDialog,
}));

type Member = Settings["members"][number];
type MemberDialog = { kind: "invite" } | { kind: "remove"; member: Member };

/** Who can use the account. Every member sees the list; owners manage it. */
export function MembersSection({ settings }: { settings: Settings }) {
  const { profile, members, invitations, account } = settings;
  const { open, show, handlers, fallback } = useDialog<MemberDialog, HTMLDivElement>();
  const isOwner = profile.role === "owner";
  const owners = members.filter(({ role }) => role === "owner");
  return (
    <Section
      title="Members"
      description="Members manage keys, documents and billing. Owners also manage members and the account."
    >
      <div ref={fallback} tabIndex={-1} className="outline-none">
        <ul aria-label="Members" className="divide-y">
          {members.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isSelf={member.id === profile.id}
              canChangeRole={isOwner && (member.role !== "owner" || owners.length > 1)}
              canRemove={isOwner || member.id === profile.id}
              onRemove={() => show({ kind: "remove", member })}
            />
          ))}
        </ul>
        {invitations.length > 0 && (
          <ul aria-label="Pending invitations" className="divide-y border-t">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        )}
        {isOwner && (
          <div className="border-t p-4 sm:px-5">
            <Button onClick={() => show({ kind: "invite" })}>
              <UserPlus aria-hidden />
              Invite a member
            </Button>
          </div>
        )}
      </div>
      <Suspense>
        {open?.kind === "invite" && <InviteDialog {...handlers} />}
        {open?.kind === "remove" && (
          <RemoveDialog
            member={open.member}
            isSelf={open.member.id === profile.id}
            accountName={account.name}
            {...handlers}
          />
        )}
      </Suspense>
    </Section>
  );
}

const ROW = "flex flex-wrap items-center gap-x-4 gap-y-2";
const TEXT = "grid min-w-0 flex-1 basis-52 gap-0.5";
const TITLE = "flex flex-wrap items-center gap-x-2 gap-y-1";

interface MemberRowProps {
  member: Member;
  isSelf: boolean;
  canChangeRole: boolean;
  canRemove: boolean;
  onRemove: () => void;
}

function MemberRow({ member, isSelf, canChangeRole, canRemove, onRemove }: MemberRowProps) {
  const change = useChangeRole();
  const { id, email, name } = member;
  const role = member.role === "owner" ? "member" : "owner";
  const newRole = role === "owner" ? "an owner" : "a member";
  const onSuccess = () => toast.success(`${name ?? email} is now ${newRole}`);
  return (
    <li className="grid gap-3 p-4 sm:px-5">
      <div className={ROW}>
        <div className={TEXT}>
          <span className={TITLE}>
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name ?? email}</span>
            <Badge tone={member.role === "owner" ? "accent" : "neutral"}>
              {ROLE_LABELS[member.role].name}
            </Badge>
            {isSelf && <span className="text-muted text-xs">You</span>}
          </span>
          <span className="text-muted text-xs [overflow-wrap:anywhere]">
            {name && `${email} · `}
            Joined <Day value={member.created_at} />
          </span>
        </div>
        <div className="flex gap-2">
          {canChangeRole && (
            <Button
              size="sm"
              isPending={change.isPending}
              onClick={() => change.mutate({ id, role }, { onSuccess })}
            >
              Make {role}
              <span className="sr-only"> {email}</span>
            </Button>
          )}
          {canRemove && (
            <Button size="sm" onClick={onRemove}>
              {isSelf ? "Leave" : "Remove"}
              <span className="sr-only"> {isSelf ? "the account" : email}</span>
            </Button>
          )}
        </div>
      </div>
      <FormError message={change.error?.message} />
    </li>
  );
}

function InvitationRow({ invitation }: { invitation: Settings["invitations"][number] }) {
  const revocation = useRevokeInvitation();
  const { id, email, role, expires_at } = invitation;
  const onSuccess = () => toast.success(`Invitation for ${email} revoked`);
  return (
    <li className="grid gap-3 p-4 sm:px-5">
      <div className={ROW}>
        <div className={TEXT}>
          <span className={TITLE}>
            <span className="min-w-0 [overflow-wrap:anywhere]">{email}</span>
            <Badge tone="warning">Invited</Badge>
            <Badge tone="neutral">{ROLE_LABELS[role].name}</Badge>
          </span>
          <span className="text-muted text-xs">
            Expires <Moment value={expires_at} />
          </span>
        </div>
        <Button
          size="sm"
          isPending={revocation.isPending}
          onClick={() => revocation.mutate(id, { onSuccess })}
        >
          Revoke<span className="sr-only"> the invitation for {email}</span>
        </Button>
      </div>
      <FormError message={revocation.error?.message} />
    </li>
  );
}
