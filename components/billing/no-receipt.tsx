import { ReceiptText } from "lucide-react";
import { ButtonLink, buttonVariants } from "@/components/ui/button";

interface NoReceiptProps {
  title: string;
  /** What the user can do. */
  text: string;
  /** The URL to retry; null if retrying can't help. */
  retryUrl: string | null;
}

export function NoReceipt({ title, text, retryUrl }: NoReceiptProps) {
  return (
    <main className="mx-auto grid max-w-lg justify-items-center gap-3 px-4 py-24 text-center">
      <ReceiptText aria-hidden className="size-6 text-muted" />
      <h1 className="font-medium text-base">{title}</h1>
      <p className="max-w-sm text-balance text-muted">{text}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {retryUrl && (
          // Not the router's: the whole page is asked for again, and may be elsewhere then.
          <a href={retryUrl} className={buttonVariants({ variant: "primary" })}>
            Try again
          </a>
        )}
        <ButtonLink href="/billing">Back to billing</ButtonLink>
      </div>
    </main>
  );
}
