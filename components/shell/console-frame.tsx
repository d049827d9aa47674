import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { CommandButton, CommandsProvider } from "./commands";
import { Logo } from "./logo";
import { AccountName, Drawer, HelpLinks, Navigation } from "./navigation";
import { NavigationProgress } from "./navigation-progress";
import { serifOnDemand } from "./serif-on-demand";
import { SkipLink } from "./skip-link";

interface ConsoleFrameProps {
  member: { id: string; email: string; name: string | null };
  /** The account whose keys, documents and balance the pages show. */
  account: string;
  /** The model of a first playground conversation. */
  model: string;
  /** Of the server. */
  version: string;
  children: ReactNode;
}

export function ConsoleFrame({ member, account, model, version, children }: ConsoleFrameProps) {
  return (
    <CommandsProvider conversation={{ member: member.id, model }}>
      <div
        data-frame
        className={`${serifOnDemand.variable} min-h-dvh bg-canvas lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]`}
      >
        <SkipLink />
        {/* Without a boundary, so that it listens as soon as the first link works. */}
        <NavigationProgress />
        <aside className="sticky top-0 hidden h-dvh grid-rows-[auto_1fr_auto] gap-4 border-r bg-surface p-3 lg:grid">
          <div className="grid gap-3 px-2.5">
            <Logo href="/overview" />
            <AccountName name={account} />
          </div>
          <Navigation />
          <HelpLinks version={version} />
        </aside>
        <div className="min-w-0">
          <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b bg-canvas px-4 sm:px-6">
            <Drawer account={account} version={version} />
            <span className="lg:hidden">
              <Logo href="/overview" />
            </span>
            <CommandButton />
            <div className="lg:ml-auto">
              <AccountMenu email={member.email} name={member.name} />
            </div>
          </header>
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto max-w-[96rem] px-4 py-6 outline-none sm:px-6"
          >
            {children}
          </main>
        </div>
      </div>
    </CommandsProvider>
  );
}
