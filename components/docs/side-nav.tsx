import Link from "next/link";
import { cn } from "@/lib/cn";
import { addressOf, DOC_GROUPS } from "./pages";

/** All pages by group; the one that is shown is marked. */
export function SideNav({ slug }: { slug: string | null }) {
  return (
    <nav aria-label="Documentation" className="grid gap-5">
      {DOC_GROUPS.map(({ name, pages }) => (
        <div key={name} className="grid gap-1">
          <p className="px-2 font-medium text-xs">{name}</p>
          <ul className="grid">
            {pages.map((page) => (
              <li key={page.slug}>
                <Link
                  href={addressOf(page)}
                  aria-current={page.slug === slug ? "page" : undefined}
                  className={cn(
                    "flex min-h-8 items-center rounded-md px-2 text-muted hover:bg-sunken hover:text-ink",
                    page.slug === slug && "bg-accent-soft font-medium text-accent",
                  )}
                >
                  {page.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
