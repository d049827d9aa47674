"use client";

import { Button } from "@/components/ui/button";
import { AlertDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useRemoveMember } from "@/lib/auth/settings-client";
import type { Settings } from "@/lib/auth/settings-schema";
import type { DialogEnd } from "./use-dialogs";

interface RemoveDialogProps extends DialogEnd {
  member: Settings["members"][number];
  isSelf: boolean;
  accountName: string;
}

/** Asks once more before a member goes. */
export function RemoveDialog({
  member: { id, email },
  isSelf,
  accountName,
  onClose,
  onCloseAutoFocus,
}: RemoveDialogProps) {
  const removal = useRemoveMember();
  const remove = () =>
    removal.mutate(id, {
      onSuccess: () => {
        if (isSelf) {
          window.location.assign("/sign-in");
          return;
        }
        onClose();
        toast.success(`${email} is removed`);
      },
    });
  return (
    <AlertDialog
      title={isSelf ? `Leave “${accountName}”?` : `Remove ${email}?`}
      description={
        isSelf
          ? "You are signed out, and your sign-in is deleted. The keys and documents you made stay the account's."
          : "They are signed out at once. The keys and documents they made stay the account's: revoke keys whose secret they know."
      }
      error={removal.error?.message ?? null}
      onClose={() => !removal.isPending && onClose()}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <Button variant="danger" isPending={removal.isPending} onClick={remove}>
        {isSelf ? "Leave account" : "Remove member"}
      </Button>
    </AlertDialog>
  );
}
