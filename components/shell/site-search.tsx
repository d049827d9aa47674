"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent } from "react";
import { Button } from "@/components/ui/button";
import { useDialog } from "@/components/ui/use-dialog";
import { cn } from "@/lib/cn";
import { KeyCaps } from "./key-caps";
import { isApple, useChord } from "./use-chord";

// Loaded when first opened, or when about to be.
const load = () => import("./palette/site-palette");
const SitePalette = lazy(async () => ({ default: (await load()).SitePalette }));

interface SiteSearchProps {
  /** A field in the page, beside the header's button, which alone has the shortcut. */
  isField?: boolean;
}

const BUTTON =
  "max-lg:size-8 max-lg:border-transparent max-lg:bg-transparent max-lg:px-0 lg:w-52 lg:justify-start lg:px-2.5";

/** Opens the search of the documentation, by click or by Ctrl-K. An icon in the header of narrow screens. */
export function SiteSearch({ isField = false }: SiteSearchProps) {
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
    if (isField) {
      return;
    }
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isField]);
  // A failure shows when it is opened.
  const prepare = () => void load().catch(() => undefined);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        {...(!isField && {
          "aria-keyshortcuts": chord[0] === "Ctrl" ? "Control+K" : "Meta+K",
        })}
        onClick={() => show("palette")}
        onPointerEnter={prepare}
        onFocus={prepare}
        className={cn(
          "font-normal text-muted hover:text-ink",
          isField ? "h-11 w-full max-w-sm justify-start rounded-lg px-4 text-base" : BUTTON,
        )}
      >
        <Search aria-hidden />
        <span className={isField ? undefined : "max-lg:sr-only"}>
          {isField ? "Search the docs…" : "Search docs…"}
        </span>
        {!isField && (
          <span aria-hidden className="ml-auto max-lg:hidden">
            <KeyCaps keys={chord} />
          </span>
        )}
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
