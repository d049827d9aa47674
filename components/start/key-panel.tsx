import Link from "next/link";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { FormError } from "@/components/ui/form-error";
import { formatRoughUsd } from "@/components/ui/usd";
import type { Key } from "@/lib/money/keys/schema";
import type { Funds } from "./funds-notice";

/** Replaces a secret that is gone. */
export interface Renewal {
  renew: () => void;
  isPending: boolean;
  error: string | undefined;
}

interface KeyPanelProps {
  apiKey: Key;
  secret: string | null;
  funds: Funds;
  renewal: Renewal | undefined;
}

/** The key that the code below uses: its secret while it is known, else a way to replace it. */
export function KeyPanel({ apiKey: key, secret, funds, renewal }: KeyPanelProps) {
  return (
    <section aria-labelledby="your-key" className="grid gap-2.5">
      <h2 id="your-key" className="font-medium text-base">
        1. Your {key.mode} key
      </h2>
      {secret ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-accent bg-accent-soft p-2 pl-3">
            <code className="min-w-0 break-all font-mono text-xs leading-5">{secret}</code>
            <CopyButton text={secret} label="Copy key" />
          </div>
          <p className="text-muted">
            Copy it now. You won’t see it again. Requests with it spend your balance of{" "}
            {formatRoughUsd(funds.availableUsd)}. You can limit or revoke it on{" "}
            <Link
              href={`/keys/${key.id}`}
              className="rounded-sm text-accent underline underline-offset-4"
            >
              its page
            </Link>
            .
          </p>
        </>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border bg-surface p-2 pl-3">
            <code className="min-w-0 break-all font-mono text-xs leading-5">{key.display}</code>
            {renewal && key.permissions.includes("change") && (
              <Button size="sm" onClick={renewal.renew} isPending={renewal.isPending}>
                Replace secret
              </Button>
            )}
          </div>
          <p className="text-muted">
            The secret of “{key.name}” was shown once. Set it as FOOTNOTE_API_KEY, or replace it if
            you didn’t save it: the current one stops working immediately.
          </p>
          <FormError message={renewal?.error} />
        </>
      )}
    </section>
  );
}
