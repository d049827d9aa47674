import Link from "next/link";
import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { GetKey } from "./get-key";
import { Logo } from "./logo";
import { serif } from "./serif";
import { SiteMenu } from "./site-menu";
import { FOOTER_GROUPS, SITE_PAGES } from "./site-pages";
import { SiteSearch } from "./site-search";
import { SkipLink } from "./skip-link";
import { ThemeSwitch } from "./theme-switch";

/**
 * The frame of the public pages. Wider if the page contains an element with `data-wide`. Their scripts wait
 * until the reader does something: what a page shows must not depend on them.
 */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div
      data-frame
      data-scripts-on-use
      className={`${serif.variable} group/site flex min-h-dvh flex-col`}
    >
      <SkipLink />
      <SiteHeader />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}

function SiteFooter() {
  return (
    <footer className="border-t print:hidden">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-10 px-4 py-12 group-has-data-wide/site:max-w-7xl sm:px-6 md:grid-cols-[minmax(0,1.4fr)_minmax(0,2.6fr)]">
        <div className="grid content-start justify-items-start gap-4">
          <Logo href="/" />
          <p className="max-w-64 text-muted leading-6">
            Citations support qualified professionals and are not medical advice.
          </p>
          <ThemeSwitch />
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-4">
          {FOOTER_GROUPS.map(({ name, links }) => (
            <div key={name} className="grid content-start gap-1.5">
              <p className="font-medium">{name}</p>
              <ul>
                {links.map(({ href, name: label }) => (
                  <li key={href}>
                    <Link
                      href={href}
                      prefetch={false}
                      className="inline-flex min-h-7 items-center rounded-sm text-muted hover:text-ink"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}

/**
 * The header of the public pages. It has the links of strangers and of members; the attribute `data-member` on `<html>`
 * decides which are shown, so that prerendered pages need no script for it.
 */
function SiteHeader() {
  return (
    <header className="border-b print:hidden">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 group-has-data-wide/site:max-w-7xl sm:px-6">
        <Logo href="/" />
        <nav aria-label="Site" className="ml-4 hidden sm:flex">
          {SITE_PAGES.map(({ href, name }) => (
            <ButtonLink key={href} href={href} variant="ghost">
              {name}
            </ButtonLink>
          ))}
        </nav>
        <div className="ml-auto">
          <SiteSearch />
        </div>
        <nav aria-label="Account" className="flex items-center gap-1.5">
          <span className="in-data-member:hidden">
            <span className="hidden sm:inline">
              <ButtonLink href="/sign-in" variant="ghost">
                Sign in
              </ButtonLink>
            </span>
          </span>
          <GetKey />
          <SiteMenu />
        </nav>
      </div>
    </header>
  );
}
