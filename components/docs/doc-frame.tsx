import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { addressOf, adjacentPages, DOC_GROUPS, type DocPage } from "./pages";
import type { Heading } from "./tree";

interface DocFrameProps {
  /** Null on the index page. */
  slug: string | null;
  headings: readonly Heading[];
  children: ReactNode;
}

/** A page with the navigation and its table of contents, which are collapsed above it on phones. */
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

function Pager({ slug }: { slug: string }) {
  const { previous, next } = adjacentPages(slug);
  return (
    <nav aria-label="Previous and next page" className="grid gap-3 border-t pt-6 sm:grid-cols-2">
      {previous && <Step page={previous} says="Previous" />}
      {next && <Step page={next} says="Next" />}
    </nav>
  );
}

function Step({ page, says }: { page: DocPage; says: "Previous" | "Next" }) {
  return (
    <Link
      href={addressOf(page)}
      rel={says === "Next" ? "next" : "prev"}
      className="grid gap-0.5 rounded-md border bg-surface px-4 py-3 hover:bg-sunken data-[says=Next]:sm:col-start-2 data-[says=Next]:sm:text-right"
      data-says={says}
    >
      <span className="text-muted text-xs">{says}</span>
      <span className="font-medium">{page.label}</span>
    </Link>
  );
}

/** All pages by group, with the current one marked. */
function SideNav({ slug }: { slug: string | null }) {
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

function TableOfContents({ headings }: { headings: readonly Heading[] }) {
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
