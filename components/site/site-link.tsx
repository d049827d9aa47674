import Link from "next/link";

/** A link in the text of a public page. */
export function SiteLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="py-1 text-accent underline underline-offset-4 hover:decoration-2"
    >
      {children}
    </Link>
  );
}
