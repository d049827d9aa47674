import Link from "next/link";

export function Logo({ href }: { href: string }) {
  return (
    <Link
      href={href}
      className="inline-flex h-8 items-center rounded font-semibold text-[1.0625rem] tracking-[-0.02em]"
    >
      Footnote
      <sup
        aria-hidden
        className="-top-[0.45em] ml-0.5 font-mono font-semibold text-[0.65rem] text-accent"
      >
        [1]
      </sup>
    </Link>
  );
}
