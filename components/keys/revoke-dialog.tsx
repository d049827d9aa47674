"use client";

import { AlertDialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useRevokeKey } from "@/lib/keys/client";
import type { Key } from "@/lib/keys/schema";

interface RevokeDialogProps extends DialogHandlers {
  apiKey: Key;
  onRevoked: () => void;
}

/** Confirms revoking a key. */
export function RevokeDialog({ apiKey: key, onRevoked, ...dialog }: RevokeDialogProps) {
  const revocation = useRevokeKey();
  const revoke = () =>
    revocation.mutate(key.id, {
      onSuccess: () => {
        onRevoked();
        toast.success(`Key “${key.name}” revoked`);
      },
    });
  return (
    <AlertDialog
      title={`Revoke “${key.name}”?`}
      description={
        <>
          Requests with <code className="font-mono text-ink text-xs">{key.display}</code> will fail
          immediately. This can’t be undone. Your other keys keep working.
        </>
      }
      error={revocation.error && `The key wasn’t revoked. ${revocation.error.message}`}
      action="Revoke key"
      onAction={revoke}
      isPending={revocation.isPending}
      {...dialog}
    />
  );
}
