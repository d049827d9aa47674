import { ArrowLeft } from "lucide-react";
import Link from "next/link";

/** From the page of one thing to the list it is in. */
export function BackLink({ href, name }: { href: string; name: string }) {
  return (
    <Link
      href={href}
      className="inline-flex min-h-6 w-fit items-center gap-1.5 rounded-sm text-muted hover:text-ink print:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {name}
    </Link>
  );
}
