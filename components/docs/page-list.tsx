import Link from "next/link";
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
      <h1 className="font-medium font-serif text-4xl tracking-[-0.02em] sm:text-[2.75rem]">
        Documentation
      </h1>
      <p className="max-w-3xl">
        Footnote answers with sources. Start with the quickstart. The guides cover how far to trust
        an answer, what it costs, and what to do when something fails.
      </p>
      {groups.map(({ name, pages }) => (
        <section key={name} className="mt-4 grid gap-3">
          <h2 className="font-medium font-serif text-2xl tracking-[-0.015em]">{name}</h2>
          <ul className="grid gap-3 text-sm leading-6 sm:grid-cols-2 xl:grid-cols-3">
            {pages.map(({ page, about }) => (
              <li key={page.slug} className="grid">
                <Link
                  href={addressOf(page)}
                  className="grid content-start gap-1 rounded-md border bg-surface p-4 hover:bg-sunken"
                >
                  <span className="font-medium">{page.label}</span>
                  <span className="text-muted">{about}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DocFrame>
  );
}
