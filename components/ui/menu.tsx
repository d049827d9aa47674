"use client";

import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { Button } from "./button";
import type { MenuItem } from "./menu-panel";

const loadPanel = () => import("./menu-panel");
// Loaded when the pointer or the focus comes near.
const MenuPanel = lazy(async () => ({ default: (await loadPanel()).MenuPanel }));

interface MenuProps {
  /** Such as "Actions for Intake assistant". */
  label: string;
  items: readonly MenuItem[];
}

/** A row's actions behind one button. */
export function Menu({ label, items }: MenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<"pointer" | "keyboard" | null>(null);
  const prepare = () => void loadPanel().catch(() => undefined);
  return (
    <div className="relative">
      <Button
        ref={trigger}
        variant="ghost"
        size="icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        onPointerEnter={prepare}
        onFocus={prepare}
        // A click by Enter or Space has no count.
        onClick={({ detail }) => setOpen(open ? null : detail === 0 ? "keyboard" : "pointer")}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            setOpen("keyboard");
          }
        }}
      >
        <Ellipsis aria-hidden />
      </Button>
      <Suspense>
        {open && (
          <MenuPanel
            label={label}
            items={items}
            trigger={trigger}
            isByKeyboard={open === "keyboard"}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </div>
  );
}
