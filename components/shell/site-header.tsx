import Link from "next/link";
import { buttonVariants } from "@/components/ui/button";
import { GetKey } from "./get-key";
import { Logo } from "./logo";
import { SiteMenu } from "./site-menu";
import { SITE_PAGES } from "./site-pages";
import { SiteSearch } from "./site-search";

/**
 * The header of the public pages. It has the links of strangers and of members; the attribute `data-member` on `<html>`
 * decides which are shown, so that prerendered pages need no script for it.
 */
export function SiteHeader() {
  return (
    <header className="border-b print:hidden">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 group-has-data-wide/site:max-w-7xl sm:px-6">
        <Logo href="/" />
        <nav aria-label="Site" className="ml-4 hidden sm:flex">
          {SITE_PAGES.map(({ href, name }) => (
            <HeaderLink key={href} href={href}>
              {name}
            </HeaderLink>
          ))}
        </nav>
        <div className="ml-auto">
          <SiteSearch />
        </div>
        <nav aria-label="Account" className="flex items-center gap-1.5">
          <span className="in-data-member:hidden">
            <span className="hidden sm:inline">
              <HeaderLink href="/sign-in">Sign in</HeaderLink>
            </span>
          </span>
          <GetKey />
          <SiteMenu />
        </nav>
      </div>
    </header>
  );
}

function HeaderLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className={buttonVariants({ variant: "ghost" })}>
      {children}
    </Link>
  );
}
