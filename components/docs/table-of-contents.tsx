import { cn } from "@/lib/cn";
import type { Heading } from "./tree";

/** The sections of a page, each a link to its anchor. */
export function TableOfContents({ headings }: { headings: readonly Heading[] }) {
  return (
    <nav aria-label="On this page">
      <ul className="grid">
        {headings.map(({ id, text, depth }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={cn(
                "flex min-h-7 items-center rounded-sm py-0.5 text-muted text-xs leading-5 hover:text-ink [overflow-wrap:anywhere]",
                depth === 3 && "pl-3",
              )}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
