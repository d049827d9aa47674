import Link from "next/link";
import type { ReactNode } from "react";
import { buttonVariants } from "@/components/ui/button";
import { Logo } from "./logo";
import { SkipLink } from "./skip-link";
import { ThemeSwitch } from "./theme-switch";

/** The frame of the public pages. Wider if the page contains an element with `data-wide`. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div className="group/site flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b">
        <div className="mx-auto flex h-14 max-w-5xl items-center gap-2 px-4 group-has-data-wide/site:max-w-7xl max-sm:gap-1 sm:px-6">
          <Logo href="/" />
          <nav aria-label="Site" className="flex sm:ml-3">
            <HeaderLink href="/docs">Docs</HeaderLink>
            <HeaderLink href="/pricing">Pricing</HeaderLink>
          </nav>
          <nav aria-label="Account" className="ml-auto flex items-center gap-1.5 max-sm:gap-0.5">
            <HeaderLink href="/sign-in">Sign in</HeaderLink>
            <Link href="/sign-up" className={buttonVariants()}>
              Sign up
            </Link>
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-t">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 group-has-data-wide/site:max-w-7xl sm:px-6">
          <p className="text-muted text-xs">
            Citations support qualified professionals and are not medical advice.
          </p>
          <ThemeSwitch />
        </div>
      </footer>
    </div>
  );
}

function HeaderLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className={buttonVariants({ variant: "ghost", className: "max-sm:px-2" })}>
      {children}
    </Link>
  );
}
