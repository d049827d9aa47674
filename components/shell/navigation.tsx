"use client";

import { BookOpen, Building2, Menu, SquareTerminal, X } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { Logo } from "./logo";
import { PAGES } from "./pages";

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const path = usePathname();
  return (
    <nav aria-label="Console">
      <ul className="grid gap-0.5">
        {PAGES.map(({ href, name, icon: Icon }) => {
          const isCurrent = path === href || path.startsWith(`${href}/`);
          return (
            <li key={href}>
              <Link
                href={href}
                onClick={onNavigate}
                aria-current={isCurrent ? "page" : undefined}
                className={cn(
                  "flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink",
                  isCurrent && "bg-sunken text-ink",
                )}
              >
                <Icon aria-hidden className="size-4" />
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Whose money the console spends. */
export function AccountName({ name }: { name: string }) {
  return (
    <p title={name} className="flex min-w-0 items-center gap-1.5 text-muted text-xs">
      <Building2 aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">Account: </span>
      <span className="truncate">{name}</span>
    </p>
  );
}

const HELP = [
  { href: "/docs", name: "Docs", icon: BookOpen },
  { href: "/docs/api", name: "API reference", icon: SquareTerminal },
];

/** Links out of the console, at the foot of the navigation, and the server's version. */
export function HelpLinks({ version, onNavigate }: { version: string; onNavigate?: () => void }) {
  return (
    <nav aria-label="Help" className="border-t pt-3">
      <ul className="grid gap-0.5">
        {HELP.map(({ href, name, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              prefetch={false}
              onClick={onNavigate}
              className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-sunken hover:text-ink"
            >
              <Icon aria-hidden className="size-4" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <Link
        href="/changelog"
        prefetch={false}
        onClick={onNavigate}
        title={`Version ${version}. See what changed`}
        className="mt-1 block px-2.5 py-1 text-muted text-xs hover:text-ink"
      >
        Footnote {version.split("+")[0]}
      </Link>
    </nav>
  );
}

/** The navigation on screens too narrow for the sidebar. */
export function Drawer({ account, version }: { account: string; version: string }) {
  const drawer = useRef<HTMLDialogElement>(null);
  const close = () => drawer.current?.close();
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open navigation"
        className="-ml-2 lg:hidden"
        onClick={() => drawer.current?.showModal()}
      >
        <Menu aria-hidden />
      </Button>
      <dialog
        ref={drawer}
        aria-label="Navigation"
        closedby="any"
        className="h-dvh max-h-none w-64 animate-slide-in grid-rows-[auto_1fr_auto] gap-4 border-r bg-raised p-3 text-ink backdrop:bg-[oklch(0_0_0/0.45)] open:grid"
      >
        <div className="flex items-center justify-between pl-2.5">
          <Logo href="/overview" />
          <Button variant="ghost" size="icon" aria-label="Close navigation" onClick={close}>
            <X aria-hidden />
          </Button>
        </div>
        <div className="grid content-start gap-3">
          <span className="px-2.5">
            <AccountName name={account} />
          </span>
          <Navigation onNavigate={close} />
        </div>
        <HelpLinks version={version} onNavigate={close} />
      </dialog>
    </>
  );
}
