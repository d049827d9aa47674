"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { KeyCaps } from "./key-caps";
import { isApple, useChord } from "./use-chord";

// Loaded when first opened, or when about to be.
const load = () => import("./palette/site-palette");
const SitePalette = lazy(async () => ({ default: (await load()).SitePalette }));

/** Opens the search of the documentation, by click or by Ctrl-K. An icon on narrow screens. */
export function SiteSearch() {
  const { open, show, close, handlers } = useDialog<"palette">();
  const router = useRouter();
  const chord = useChord("k");
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isChord = (isApple() ? event.metaKey : event.ctrlKey) && !event.shiftKey && !event.altKey;
    if (isChord && event.key.toLowerCase() === "k" && !event.repeat) {
      event.preventDefault();
      if (open) {
        close();
      } else {
        show("palette");
      }
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  // A failure shows when it is opened.
  const prepare = () => void load().catch(() => undefined);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-keyshortcuts={chord[0] === "Ctrl" ? "Control+K" : "Meta+K"}
        onClick={() => show("palette")}
        onPointerEnter={prepare}
        onFocus={prepare}
        className="font-normal text-muted hover:text-ink max-lg:size-8 max-lg:border-transparent max-lg:bg-transparent max-lg:px-0 lg:w-52 lg:justify-start lg:px-2.5"
      >
        <Search aria-hidden />
        <span className="max-lg:sr-only">Search docs…</span>
        <span aria-hidden className="ml-auto max-lg:hidden">
          <KeyCaps keys={chord} />
        </span>
      </Button>
      <Suspense>
        {open && (
          <SitePalette
            onChoose={(action) => close(() => action.kind === "go" && router.push(action.href))}
            {...handlers}
          />
        )}
      </Suspense>
    </>
  );
}
