"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "@/lib/cn";
import { PAGES } from "./pages";

/** The pages of the console. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const path = usePathname();
  return (
    <nav aria-label="Console">
      <ul className="grid gap-0.5">
        {PAGES.map(({ href, name, icon: Icon }) => {
          const isHere = path === href || path.startsWith(`${href}/`);
          return (
            <li key={href}>
              <Link
                href={href}
                onClick={onNavigate}
                aria-current={isHere ? "page" : undefined}
                className={cn(
                  "flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink",
                  isHere && "bg-sunken text-ink",
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
