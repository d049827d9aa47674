import { ArrowLeft } from "lucide-react";
import Link from "next/link";

/** The way from one document to all of them. */
export function BackToDocuments() {
  return (
    <p>
      <Link
        href="/documents"
        className="inline-flex items-center gap-1 rounded-sm text-muted text-xs hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        Documents
      </Link>
    </p>
  );
}
