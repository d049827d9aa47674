import type { Metadata } from "next";
import Link from "next/link";
import { SiteFrame } from "@/components/shell/site-frame";
import { SiteSearch } from "@/components/shell/site-search";
import { buttonVariants } from "@/components/ui/button";

export const metadata: Metadata = { title: "Page not found" };

const PLACES = [
  { href: "/docs", name: "Documentation" },
  { href: "/docs/api", name: "API reference" },
  { href: "/pricing", name: "Pricing" },
  { href: "/overview", name: "Console" },
];

export default function NotFound() {
  return (
    <SiteFrame>
      <div className="mx-auto grid max-w-2xl justify-items-center gap-6 px-4 py-24 text-center sm:py-32">
        <h1 className="text-balance font-medium font-serif text-5xl leading-[1.05] tracking-[-0.03em] sm:text-6xl">
          <span className="mr-3 align-super font-mono font-semibold text-[0.4em] text-accent tracking-normal">
            [404]
          </span>
          Citation needed.
        </h1>
        <p className="text-[1.0625rem] text-muted leading-7">
          There’s no source for this address. Check it, search, or start here:
        </p>
        <SiteSearch isField />
        <ul className="flex flex-wrap justify-center gap-2">
          {PLACES.map(({ href, name }) => (
            <li key={href}>
              <Link href={href} className={buttonVariants()}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </SiteFrame>
  );
}
