"use client";

import { Menu } from "lucide-react";
import Link from "next/link";
import { useRef } from "react";
import { Button, buttonVariants } from "@/components/ui/button";
import { SITE_PAGES } from "./site-pages";

const PANEL = "site-menu";
const ITEM = "w-full justify-start px-3 h-11 text-ink";

/** The header's links on phones. A native popover: the browser opens and closes it and manages focus. */
export function SiteMenu() {
  const panel = useRef<HTMLDivElement>(null);
  const hide = () => panel.current?.hidePopover();
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        popoverTarget={PANEL}
        aria-label="Menu"
        className="-mr-2 sm:hidden"
      >
        <Menu aria-hidden />
      </Button>
      <div
        ref={panel}
        id={PANEL}
        popover="auto"
        className="fixed inset-x-4 inset-y-auto top-14 w-auto animate-appear rounded-lg border bg-raised p-1.5 text-ink shadow-lg"
      >
        {SITE_PAGES.map(({ href, name }) => (
          <Link
            key={href}
            href={href}
            onClick={hide}
            className={buttonVariants({ variant: "ghost", className: ITEM })}
          >
            {name}
          </Link>
        ))}
        <div className="in-data-member:hidden">
          <Link
            href="/sign-in"
            onClick={hide}
            className={buttonVariants({ variant: "ghost", className: ITEM })}
          >
            Sign in
          </Link>
        </div>
      </div>
    </>
  );
}
