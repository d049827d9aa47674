"use client";

import { Menu, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Logo } from "./logo";
import { Navigation } from "./navigation";

/** The navigation where there is no room for a sidebar. */
export function Drawer() {
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
        className="h-dvh max-h-none w-64 animate-slide-in content-start gap-4 border-r bg-raised p-3 text-ink backdrop:bg-[oklch(0_0_0/0.45)] open:grid"
      >
        <div className="flex items-center justify-between pl-2.5">
          <Logo href="/overview" />
          <Button variant="ghost" size="icon" aria-label="Close navigation" onClick={close}>
            <X aria-hidden />
          </Button>
        </div>
        <Navigation onNavigate={close} />
      </dialog>
    </>
  );
}
