import type { Item, Node } from "fumadocs-core/page-tree";
import type { TOCItemType } from "fumadocs-core/toc";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { SideColumn } from "./side-column";
import { TableOfContents } from "./toc";
import { adjacentPages, firstShown, PAGE_TREE } from "./tree";

interface DocFrameProps {
  /** The page's path. */
  url: string;
  toc: TOCItemType[];
  /** Whether the text also takes the place of the table of contents, as in the API reference. */
  isWide?: boolean;
  children: ReactNode;
}

/** A page with the navigation and its table of contents, which are collapsed above it on phones. */
export function DocFrame({ url, toc, isWide = false, children }: DocFrameProps) {
  return (
    <div
      data-wide
      className={cn(
        "mx-auto grid max-w-7xl gap-x-12 px-4 sm:px-6 lg:grid-cols-[13rem_minmax(0,1fr)]",
        !isWide && "xl:grid-cols-[13rem_minmax(0,1fr)_13rem]",
      )}
    >
      <noscript>
        <style>{"[data-code-tab]{display:block!important}"}</style>
      </noscript>
      <SideColumn key={`column ${url}`}>
        <SideNav url={url} />
      </SideColumn>
      <div key={url} className="-mx-4 grid border-b sm:-mx-6 lg:hidden print:hidden">
        <Fold name="All pages">
          <SideNav url={url} />
        </Fold>
        {toc.length > 0 && (
          <Fold name="On this page">
            <TableOfContents toc={toc} />
          </Fold>
        )}
      </div>
      <article
        className={cn(
          "mx-auto grid w-full min-w-0 max-w-3xl content-start gap-4 py-8 text-[0.9375rem] leading-7 lg:py-10",
          isWide && "xl:max-w-none",
        )}
      >
        {children}
        <div className="mt-8 text-sm leading-6">
          <Pager url={url} />
        </div>
      </article>
      {!isWide && (
        <div className="sticky top-0 hidden max-h-dvh overflow-y-auto py-10 xl:block">
          {toc.length > 0 && (
            <div className="grid gap-2">
              <p className="font-medium text-xs">On this page</p>
              <TableOfContents toc={toc} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** A part of the page that is collapsed on phones. */
export function Fold({ name, children }: { name: string; children: ReactNode }) {
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

function Pager({ url }: { url: string }) {
  const { previous, next } = adjacentPages(url);
  return (
    <nav aria-label="Previous and next page" className="grid gap-3 border-t pt-6 sm:grid-cols-2">
      {previous && <Step page={previous} says="Previous" />}
      {next && <Step page={next} says="Next" />}
    </nav>
  );
}

function Step({ page, says }: { page: Item; says: "Previous" | "Next" }) {
  return (
    <Link
      href={page.url}
      rel={says === "Next" ? "next" : "prev"}
      className="grid gap-0.5 rounded-md border bg-surface px-4 py-3 hover:bg-sunken data-[says=Next]:sm:col-start-2 data-[says=Next]:sm:text-right"
      data-says={says}
    >
      <span className="text-muted text-xs">{says}</span>
      <span className="font-medium">{page.name}</span>
    </Link>
  );
}

/** All pages by group, with the current one marked. */
function SideNav({ url }: { url: string }) {
  const first = firstShown(url);
  return (
    <nav aria-label="Documentation">
      <ul className="grid">
        {PAGE_TREE.children.map((node) => (
          <NavNode key={node.$id} node={node} url={url} first={first} />
        ))}
      </ul>
    </nav>
  );
}

interface NavNodeProps {
  node: Node;
  /** The current page. */
  url: string;
  /** The page that the column begins with, if that isn't its top. */
  first: string | null;
}

function NavNode({ node, ...props }: NavNodeProps) {
  const { url } = props;
  if (node.type === "separator") {
    return <li className="mt-5 px-2 pb-1 font-medium text-xs first:mt-0">{node.name}</li>;
  }
  if (node.type === "page") {
    return (
      <li>
        <NavLink page={node} {...props} />
      </li>
    );
  }
  const isOpen = url === node.index?.url || url.startsWith(`${node.index?.url}/`);
  return (
    <li>
      {node.index && <NavLink page={node.index} {...props} />}
      {isOpen && (
        <ul className="my-1 ml-3 grid border-l pl-1">
          {node.children.map((child) => (
            <NavNode key={child.$id} node={child} {...props} />
          ))}
        </ul>
      )}
    </li>
  );
}

function NavLink({ page, url, first }: Omit<NavNodeProps, "node"> & { page: Item }) {
  return (
    <Link
      href={page.url}
      prefetch={false}
      aria-current={page.url === url ? "page" : undefined}
      data-first-shown={page.url === first || undefined}
      className={cn(
        "flex min-h-8 items-center rounded-md px-2 text-muted hover:bg-sunken hover:text-ink",
        page.url === url && "bg-accent-soft font-medium text-accent",
      )}
    >
      {page.name}
    </Link>
  );
}
