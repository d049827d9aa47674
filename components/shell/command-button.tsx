"use client";

import { Search } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useCommands } from "./commands";
import { KeyCaps } from "./key-caps";
import { useChord } from "./platform";

/** Opens the palette; where there is little room, an icon alone. */
export function CommandButton() {
  const { show, prepare } = useCommands();
  const chord = useChord("k");
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts={chord[0] === "Ctrl" ? "Control+K" : "Meta+K"}
      onClick={() => show("palette")}
      onPointerEnter={prepare}
      onFocus={prepare}
      className="font-normal text-muted hover:text-ink max-lg:ml-auto max-sm:size-8 max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 sm:w-60 sm:justify-start sm:px-2.5"
    >
      <Search aria-hidden />
      <span className="max-sm:sr-only">Search or jump to…</span>
      <span aria-hidden className="ml-auto max-sm:hidden">
        <KeyCaps keys={chord} />
      </span>
    </Button>
  );
}
