import type { ReactNode } from "react";
import { serif } from "./serif";
import { SiteFooter } from "./site-footer";
import { SiteHeader } from "./site-header";
import { SkipLink } from "./skip-link";

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
