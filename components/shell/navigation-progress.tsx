"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { toast } from "@/components/ui/toast";
import { NAVIGATION_START } from "./navigation-start";

/** A line along the top edge while another page loads, whichever link led to it: a slow page is never without an answer. */
export function NavigationProgress() {
  const path = usePathname();
  const search = useSearchParams().toString();
  const shown = search ? `${path}?${search}` : path;
  // Where a navigation leads that began on the page it names.
  const [going, setGoing] = useState<{ from: string; to: string } | null>(null);
  useEffect(() => {
    const begin = ({ detail }: CustomEvent<string>) => {
      const { pathname, searchParams } = new URL(detail, window.location.href);
      const query = searchParams.toString();
      setGoing({ from: shown, to: query ? `${pathname}?${query}` : pathname });
    };
    window.addEventListener(NAVIGATION_START, begin as EventListener);
    return () => window.removeEventListener(NAVIGATION_START, begin as EventListener);
  }, [shown]);
  useEffect(() => {
    let wanted: string | null = null;
    // If Next can't load a page, it lets the browser navigate, which would show an error page instead of this one.
    const stay = (event: NavigateEvent) => {
      if (!navigator.onLine && event.cancelable && !event.destination.sameDocument) {
        event.preventDefault();
        // Next navigates while it renders the transition, whose updates would wait for the other page.
        queueMicrotask(() => setGoing(null));
        wanted = event.destination.url;
        toast.error("You’re offline. The page opens once you’re connected.");
      }
    };
    const goOn = () => wanted && window.location.assign(wanted);
    // Not every browser has it yet.
    window.navigation?.addEventListener("navigate", stay);
    window.addEventListener("online", goOn);
    return () => {
      window.navigation?.removeEventListener("navigate", stay);
      window.removeEventListener("online", goOn);
    };
  }, []);
  const isGoing = going !== null && going.from === shown && going.to !== shown;
  return (
    isGoing && (
      <div
        role="status"
        className="fixed inset-x-0 top-0 z-50 h-0.5 animate-late overflow-hidden bg-accent-soft"
      >
        <div aria-hidden className="h-full w-1/3 animate-pass bg-accent" />
        <span className="sr-only">Loading</span>
      </div>
    )
  );
}
