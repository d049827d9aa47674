"use client";

import { Button } from "@/components/ui/button";
import { AlertDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useRevokeKey } from "@/lib/keys/client";
import type { Key } from "@/lib/keys/schema";
import type { DialogEnd } from "./use-dialogs";

interface RevokeDialogProps extends DialogEnd {
  apiKey: Key;
  onRevoked: () => void;
}

/** Asks once more, naming the key and what happens. */
export function RevokeDialog({
  apiKey: key,
  onRevoked,
  onClose,
  onCloseAutoFocus,
}: RevokeDialogProps) {
  const revocation = useRevokeKey();
  const revoke = () =>
    revocation.mutate(key.id, {
      onSuccess: () => {
        onRevoked();
        toast.success(`Key “${key.name}” is revoked`);
      },
    });
  return (
    <AlertDialog
      title={`Revoke “${key.name}”?`}
      description={
        <>
          Every request with <code className="font-mono text-ink text-xs">{key.display}</code> fails
          from now on. This cannot be undone. Your other keys go on working.
        </>
      }
      error={revocation.error && `The key was not revoked. ${revocation.error.message}`}
      onClose={() => !revocation.isPending && onClose()}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      <Button variant="danger" isPending={revocation.isPending} onClick={revoke}>
        Revoke key
      </Button>
    </AlertDialog>
  );
}
