import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { Drawer } from "./drawer";
import { Logo } from "./logo";
import { Navigation } from "./navigation";
import { SkipLink } from "./skip-link";

interface ConsoleFrameProps {
  member: { email: string; name: string | null };
  children: ReactNode;
}

/** What stands around every page of the console. */
export function ConsoleFrame({ member, children }: ConsoleFrameProps) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <SkipLink />
      <aside className="sticky top-0 hidden h-dvh content-start gap-4 border-r bg-surface p-3 lg:grid">
        <div className="px-2.5">
          <Logo href="/overview" />
        </div>
        <Navigation />
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-canvas px-4 sm:px-6">
          <Drawer />
          <span className="lg:hidden">
            <Logo href="/overview" />
          </span>
          <div className="ml-auto">
            <AccountMenu {...member} />
          </div>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto max-w-7xl px-4 py-6 outline-none sm:px-6"
        >
          {children}
        </main>
      </div>
    </div>
  );
}
