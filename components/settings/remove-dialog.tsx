"use client";

import { AlertDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useRemoveMember } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";

interface RemoveDialogProps extends DialogHandlers {
  member: Settings["members"][number];
  isSelf: boolean;
  accountName: string;
}

/** Confirms removing a member, or leaving the account. */
export function RemoveDialog({ member, isSelf, accountName, ...dialog }: RemoveDialogProps) {
  const { id, email } = member;
  const removal = useRemoveMember();
  const remove = () =>
    removal.mutate(id, {
      onSuccess: () => {
        if (isSelf) {
          window.location.assign("/sign-in");
          return;
        }
        dialog.onClose();
        toast.success(`${email} removed`);
      },
    });
  return (
    <AlertDialog
      title={isSelf ? `Leave “${accountName}”?` : `Remove ${email}?`}
      description={
        isSelf
          ? "You’ll be signed out, and your sign-in will be deleted. The account keeps the keys and documents you created."
          : "They’ll be signed out immediately. The account keeps the keys and documents they created, so revoke any key whose secret they know."
      }
      error={removal.error?.message}
      action={isSelf ? "Leave account" : "Remove member"}
      onAction={remove}
      isPending={removal.isPending}
      {...dialog}
    />
  );
}
