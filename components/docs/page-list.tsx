import Link from "next/link";
import { SiteSearch } from "@/components/shell/site-search";
import { DocFrame } from "./doc-frame";
import { addressOf, DOC_GROUPS } from "./pages";
import { describePage } from "./summaries";

export async function PageList() {
  const groups = await Promise.all(
    DOC_GROUPS.map(async ({ name, pages }) => ({
      name,
      pages: await Promise.all(
        pages.map(async (page) => ({ page, about: await describePage(page) })),
      ),
    })),
  );
  return (
    <DocFrame url="/docs" toc={[]} isWide>
      <header className="grid max-w-3xl gap-5">
        <h1 className="font-medium font-serif text-4xl tracking-[-0.02em] sm:text-5xl">
          Documentation
        </h1>
        <p className="text-[1.0625rem] text-muted leading-7">
          Make your first cited request in five minutes. Then learn how far to trust an answer, what
          it costs, and how to run Footnote yourself.
        </p>
        <SiteSearch isField />
      </header>
      <Featured />
      {groups.map(({ name, pages }) => (
        <section
          key={name}
          className="mt-4 grid gap-x-8 gap-y-4 border-t pt-6 xl:grid-cols-[9rem_minmax(0,1fr)]"
        >
          <h2 className="font-medium font-serif text-2xl tracking-[-0.015em]">{name}</h2>
          <ul className="grid gap-x-8 gap-y-1 text-sm leading-6 sm:grid-cols-2">
            {pages.map(({ page, about }) => (
              <li key={page.slug} className="grid">
                <Link
                  href={addressOf(page)}
                  prefetch={false}
                  className="-mx-3 grid content-start gap-0.5 rounded-md px-3 py-2 hover:bg-sunken"
                >
                  <span className="font-medium">{page.label}</span>
                  <span className="text-pretty text-muted">{about}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocFrame>
  );
}

const FEATURED = [
  {
    href: "/docs/quickstart",
    name: "Quickstart",
    text: "Get a key, ask a cited question, and upload a document.",
  },
  {
    href: "/docs/citations",
    name: "Citations",
    text: "What a verdict means, what the check catches, and what it misses.",
  },
  {
    href: "/docs/api",
    name: "API reference",
    text: "Every endpoint in four languages, with a form to try it.",
  },
];

/** Where most readers want to go first. */
function Featured() {
  return (
    <ul className="mt-4 grid gap-4 md:grid-cols-3">
      {FEATURED.map(({ href, name, text }, index) => (
        <li key={href} className="grid">
          <Link
            href={href}
            className="grid content-start gap-2 rounded-2xl border bg-surface p-5 transition-colors hover:border-control"
          >
            <span aria-hidden className="font-mono font-semibold text-accent text-xs">
              [{index + 1}]
            </span>
            <span className="font-medium font-serif text-xl">{name}</span>
            <span className="text-pretty text-muted text-sm leading-6">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
