import Link from "next/link";
import { Button } from "@/components/ui/button";
import { AlertDialog, Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import { useRemoveMember } from "@/lib/platform/auth/settings-client";
import type { KeyName, RemovedMember, Settings } from "@/lib/platform/auth/settings-schema";

interface RemoveDialogProps extends DialogHandlers {
  member: Settings["members"][number];
  isSelf: boolean;
  accountName: string;
}

/** Removes a member, then lists the keys that were revoked and those that still work. */
export function RemoveDialog({ member, isSelf, accountName, ...dialog }: RemoveDialogProps) {
  const { id, email } = member;
  const removal = useRemoveMember();
  const remove = () =>
    removal.mutate(id, {
      onSuccess: ({ revoked_keys, remaining_keys }) => {
        if (isSelf) {
          window.location.assign("/sign-in");
        } else if (revoked_keys.length + remaining_keys.length === 0) {
          dialog.onClose();
          toast.success(`${email} removed`);
        }
      },
    });
  if (removal.data && !isSelf) {
    return <RemovedDialog email={email} removed={removal.data} {...dialog} />;
  }
  return (
    <AlertDialog
      title={isSelf ? `Leave “${accountName}”?` : `Remove ${email}?`}
      description={
        isSelf
          ? "You’ll be signed out, and your sign-in will be deleted. Keys that read your personal documents will be revoked. The account keeps your other keys and documents."
          : "They’ll be signed out immediately, and keys that read their personal documents will be revoked. The account keeps their other keys and documents. You’ll see which keys those are."
      }
      error={removal.error?.message}
      action={isSelf ? "Leave account" : "Remove member"}
      onAction={remove}
      isPending={removal.isPending}
      {...dialog}
    />
  );
}

interface RemovedDialogProps extends DialogHandlers {
  email: string;
  removed: RemovedMember;
}

function RemovedDialog({ email, removed, ...dialog }: RemovedDialogProps) {
  const { revoked_keys: revoked, remaining_keys: remaining } = removed;
  return (
    <Dialog title={`${email} removed`} {...dialog}>
      <DialogBody>
        {remaining.length > 0 && (
          <KeyNames
            title="Still active"
            about="They created these keys and may know their secrets. Rotate or revoke any they shouldn’t use."
            keys={remaining}
            hasLinks
          />
        )}
        {revoked.length > 0 && (
          <KeyNames
            title="Revoked"
            about="These keys could read their personal documents."
            keys={revoked}
          />
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={dialog.onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

interface KeyNamesProps {
  title: string;
  about: string;
  keys: KeyName[];
  /** To each key on the API keys page. */
  hasLinks?: boolean;
}

function KeyNames({ title, about, keys, hasLinks = false }: KeyNamesProps) {
  return (
    <section className="grid gap-1.5">
      <h3 className="font-medium">{title}</h3>
      <p className="text-muted">{about}</p>
      <ul aria-label={title} className="divide-y">
        {keys.map(({ id, name, display }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            {hasLinks ? (
              <Link
                href={`/keys?${new URLSearchParams({ key: id })}`}
                className="min-w-0 break-words text-accent underline underline-offset-4"
              >
                {name}
              </Link>
            ) : (
              <span className="min-w-0 break-words">{name}</span>
            )}
            <code className="font-mono text-muted text-xs">{display}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
