import Link from "next/link";
import { Logo } from "./logo";
import { FOOTER_GROUPS } from "./site-pages";
import { ThemeSwitch } from "./theme-switch";

export function SiteFooter() {
  return (
    <footer className="border-t print:hidden">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-10 px-4 py-12 group-has-data-wide/site:max-w-7xl sm:px-6 md:grid-cols-[minmax(0,1.4fr)_minmax(0,2.6fr)]">
        <div className="grid content-start justify-items-start gap-4">
          <Logo href="/" />
          <p className="max-w-64 text-muted leading-6">
            Citations support qualified professionals and are not medical advice.
          </p>
          <ThemeSwitch />
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-4">
          {FOOTER_GROUPS.map(({ name, links }) => (
            <div key={name} className="grid content-start gap-1.5">
              <p className="font-medium">{name}</p>
              <ul>
                {links.map(({ href, name: label }) => (
                  <li key={href}>
                    <Link
                      href={href}
                      prefetch={false}
                      className="inline-flex min-h-7 items-center rounded-sm text-muted hover:text-ink"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}
