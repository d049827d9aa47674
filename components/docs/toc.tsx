"use client";

import { AnchorProvider, TOCItem, type TOCItemType } from "fumadocs-core/toc";

/** The sections of a page. Those on the screen are marked. */
export function TableOfContents({ toc }: { toc: TOCItemType[] }) {
  return (
    <AnchorProvider toc={toc}>
      <nav aria-label="On this page">
        <ul className="grid border-l">
          {toc.map(({ url, title, depth }) => (
            <li key={url}>
              <TOCItem
                href={url}
                className="-ml-px flex min-h-7 items-center border-transparent border-l py-0.5 pl-3 text-muted text-xs leading-5 [overflow-wrap:anywhere] hover:text-ink data-[active=true]:border-accent data-[depth=3]:pl-6 data-[active=true]:text-ink"
                data-depth={depth}
              >
                {title}
              </TOCItem>
            </li>
          ))}
        </ul>
      </nav>
    </AnchorProvider>
  );
}
