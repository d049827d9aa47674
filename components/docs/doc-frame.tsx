import type { ReactNode } from "react";
import { Pager } from "./pager";
import { SideNav } from "./side-nav";
import { TableOfContents } from "./table-of-contents";
import type { Heading } from "./tree";

interface DocFrameProps {
  /** Null for the list of all pages. */
  slug: string | null;
  headings: readonly Heading[];
  children: ReactNode;
}

/** A page between the list of pages and the list of its sections; on a phone both fold away above it. */
export function DocFrame({ slug, headings, children }: DocFrameProps) {
  return (
    <div
      data-wide
      className="mx-auto grid max-w-7xl gap-x-12 px-4 sm:px-6 lg:grid-cols-[13rem_minmax(0,1fr)] xl:grid-cols-[13rem_minmax(0,1fr)_13rem]"
    >
      <div className="sticky top-0 hidden max-h-dvh overflow-y-auto py-10 lg:block">
        <SideNav slug={slug} />
      </div>
      <div key={slug} className="-mx-4 grid border-b sm:-mx-6 lg:hidden">
        <Fold name="All pages">
          <SideNav slug={slug} />
        </Fold>
        {headings.length > 0 && (
          <Fold name="On this page">
            <TableOfContents headings={headings} />
          </Fold>
        )}
      </div>
      <article className="mx-auto grid w-full min-w-0 max-w-3xl content-start gap-4 py-8 text-[0.9375rem] leading-7 lg:py-10">
        {children}
        {slug && (
          <div className="mt-8 text-sm leading-6">
            <Pager slug={slug} />
          </div>
        )}
      </article>
      <div className="sticky top-0 hidden max-h-dvh overflow-y-auto py-10 xl:block">
        {headings.length > 0 && (
          <div className="grid gap-1.5">
            <p className="font-medium text-xs">On this page</p>
            <TableOfContents headings={headings} />
          </div>
        )}
      </div>
    </div>
  );
}

function Fold({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className="border-t first:border-t-0">
      <summary className="flex min-h-11 cursor-pointer items-center px-4 font-medium outline-offset-[-2px] sm:px-6 [&::-webkit-details-marker]:hidden">
        {name}
        <span aria-hidden className="ml-auto text-muted [details[open]_&]:rotate-180">
          ▾
        </span>
      </summary>
      <div className="px-4 pb-4 sm:px-6">{children}</div>
    </details>
  );
}
