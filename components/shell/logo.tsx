import Link from "next/link";

export function Logo({ href }: { href: string }) {
  return (
    <Link
      href={href}
      className="inline-flex h-8 items-center rounded font-semibold text-base tracking-tight"
    >
      Footnote
      <sup aria-hidden className="ml-px font-mono text-[0.6rem] text-accent">
        [1]
      </sup>
    </Link>
  );
}
