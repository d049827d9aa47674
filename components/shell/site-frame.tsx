import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Logo } from "./logo";
import { SkipLink } from "./skip-link";
import { ThemeMenu } from "./theme-menu";

/** What stands around the pages that anyone may read. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b">
        <div className="mx-auto flex h-14 max-w-5xl items-center gap-2 px-4 sm:px-6">
          <Logo href="/" />
          <nav aria-label="Account" className="ml-auto flex items-center gap-1.5">
            <ThemeMenu />
            <Button variant="ghost" asChild>
              <Link href="/sign-in">Sign in</Link>
            </Button>
            <Button asChild>
              <Link href="/sign-up">Sign up</Link>
            </Button>
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-t">
        <p className="mx-auto max-w-5xl px-4 py-5 text-muted text-xs sm:px-6">
          Citations support qualified professionals and are not medical advice.
        </p>
      </footer>
    </div>
  );
}
