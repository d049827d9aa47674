"use client";

import { UserPlus } from "lucide-react";
import { lazy, Suspense } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/form-error";
import { Day } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { useChangeRole } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import { InvitationList } from "./invitation-list";
import { ROLE_LABELS } from "./labels";
import { Section } from "./section";
import { useDialogs } from "./use-dialogs";

const InviteDialog = lazy(async () => ({
  default: (await import("./invite-dialog")).InviteDialog,
}));
const RemoveDialog = lazy(async () => ({
  default: (await import("./remove-dialog")).RemoveDialog,
}));

type Member = Settings["members"][number];
type OpenDialog = { kind: "invite" } | { kind: "remove"; member: Member };

/** Who may use the account. Owners manage it; everybody sees it. */
export function MembersSection({ settings }: { settings: Settings }) {
  const { profile, members, invitations } = settings;
  const { open, show, end, list } = useDialogs<OpenDialog>();
  const isOwner = profile.role === "owner";
  const owners = members.filter(({ role }) => role === "owner");
  return (
    <Section
      title="Members"
      description={`Owner: ${lower(ROLE_LABELS.owner.about)} Member: ${lower(ROLE_LABELS.member.about)}`}
    >
      <div ref={list} tabIndex={-1} className="outline-none">
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
        {invitations.length > 0 && <InvitationList invitations={invitations} />}
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
        {open?.kind === "invite" && <InviteDialog {...end} />}
        {open?.kind === "remove" && (
          <RemoveDialog
            member={open.member}
            isSelf={open.member.id === profile.id}
            accountName={settings.account.name}
            {...end}
          />
        )}
      </Suspense>
    </Section>
  );
}

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
  const changeRole = () =>
    change.mutate(
      { id, role },
      { onSuccess: () => toast.success(`${name ?? email} is now ${formatRole(role)}`) },
    );
  return (
    <li className="grid gap-3 p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 break-words font-medium">{name ?? email}</span>
            <Badge tone={member.role === "owner" ? "accent" : "neutral"}>
              {ROLE_LABELS[member.role].name}
            </Badge>
            {isSelf && <span className="text-muted text-xs">you</span>}
          </span>
          <span className="break-words text-muted text-xs">
            {name && `${email} · `}
            Joined <Day value={member.created_at} />
          </span>
        </div>
        <div className="flex gap-2">
          {canChangeRole && (
            <Button size="sm" isPending={change.isPending} onClick={changeRole}>
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

function formatRole(role: Member["role"]): string {
  return role === "owner" ? "an owner" : "a member";
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
