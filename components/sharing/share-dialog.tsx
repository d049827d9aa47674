"use client";

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { LoadError } from "@/components/shell/state";
import { Button, ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/form-error";
import { Listbox } from "@/components/ui/listbox";
import { ListSkeleton } from "@/components/ui/skeleton";
import { Day, RelativeTime } from "@/components/ui/time";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import {
  type LinkTarget,
  linksQuery,
  useCreateLink,
  useRevokeLink,
} from "@/lib/answers/sharing/client";
import type { LinkList, SharedLink } from "@/lib/answers/sharing/schema";

const EXPIRIES = [
  { value: "7", name: "For 7 days" },
  { value: "30", name: "For 30 days" },
  { value: "366", name: "For a year" },
  { value: "", name: "Until revoked" },
];

interface ShareDialogProps extends DialogHandlers {
  target: LinkTarget;
  /** What a reader of the link will see. */
  shows: string;
}

/** Creates and revokes the links of an answer or a quote. */
export function ShareDialog({ target, shows, ...handlers }: ShareDialogProps) {
  const links = useQuery(linksQuery(target));
  return (
    <Dialog title="Share by link" description={shows} {...handlers}>
      <DialogBody>
        {links.isPending ? (
          <ListSkeleton label="Loading links" rows={2} isCompact />
        ) : links.data ? (
          <Links target={target} list={links.data} />
        ) : (
          <LoadError title="We couldn’t load the links" query={links} />
        )}
      </DialogBody>
    </Dialog>
  );
}

function Links({ target, list }: { target: LinkTarget; list: LinkList }) {
  return (
    <div className="grid gap-4">
      {list.is_sharing_enabled ? (
        <NewLink target={target} />
      ) : (
        <div className="grid justify-items-start gap-2 rounded-md bg-sunken p-3">
          <p>
            Sharing by link is off for this account, so links don’t open. An owner can allow it.
          </p>
          <ButtonLink href="/settings/data" size="sm">
            Open settings
          </ButtonLink>
        </div>
      )}
      {list.data.length > 0 && (
        <ul aria-label="Links" className="divide-y rounded-md border">
          {list.data.map((link) => (
            <LinkRow key={link.id} target={target} link={link} />
          ))}
        </ul>
      )}
    </div>
  );
}

function NewLink({ target }: { target: LinkTarget }) {
  const [days, setDays] = useState("30");
  const creation = useCreateLink(target);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Listbox label="Valid" value={days} onChange={setDays} options={EXPIRIES} />
        <Button
          variant="primary"
          className="h-9"
          isPending={creation.isPending}
          onClick={() => creation.mutate(days ? Number(days) : null)}
        >
          Create link
        </Button>
      </div>
      <FormError message={creation.error?.message} />
    </div>
  );
}

function LinkRow({ target, link }: { target: LinkTarget; link: SharedLink }) {
  const id = useId();
  const revocation = useRevokeLink(target);
  return (
    <li className="grid gap-2 p-3">
      <code id={id} className="break-all font-mono text-xs">
        {link.url}
      </code>
      <div className="flex items-center gap-2">
        <p className="mr-auto min-w-0 text-muted text-xs">
          <RelativeTime value={link.created_at} /> by {link.created_by}.{" "}
          {link.expires_at ? (
            <>
              Until <Day value={link.expires_at} />.
            </>
          ) : (
            "Until revoked."
          )}
        </p>
        <CopyButton text={link.url} label="Copy link" />
        <Button
          size="sm"
          variant="ghost"
          aria-describedby={id}
          isPending={revocation.isPending}
          onClick={() => revocation.mutate(link.id)}
        >
          Revoke
        </Button>
      </div>
      <FormError message={revocation.error?.message} />
    </li>
  );
}
