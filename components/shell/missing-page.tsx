import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { SiteSearch } from "./site-search";

const PLACES = [
  { href: "/docs", name: "Documentation" },
  { href: "/docs/api", name: "API reference" },
  { href: "/pricing", name: "Pricing" },
  { href: "/overview", name: "Console" },
];

/** The content of a public page that doesn't exist. */
export function MissingPage() {
  return (
    <MissingView
      title="Citation needed."
      text="There’s no source for this address. Check it, search, or start here:"
    >
      <SiteSearch isField />
      <ul className="flex flex-wrap justify-center gap-2">
        {PLACES.map(({ href, name }) => (
          <li key={href}>
            <ButtonLink href={href}>{name}</ButtonLink>
          </li>
        ))}
      </ul>
    </MissingView>
  );
}

interface MissingViewProps {
  title: string;
  text: string;
  children?: ReactNode;
}

export function MissingView({ title, text, children }: MissingViewProps) {
  return (
    <div className="mx-auto grid max-w-2xl justify-items-center gap-6 px-4 py-24 text-center sm:py-32">
      <h1 className="text-balance font-medium font-serif text-5xl leading-[1.05] tracking-[-0.03em] sm:text-6xl">
        <span className="mr-3 align-super font-mono font-semibold text-[0.4em] text-accent tracking-normal max-sm:mr-0 max-sm:block">
          [404]
        </span>
        {title}
      </h1>
      <p className="text-pretty text-[1.0625rem] text-muted leading-7">{text}</p>
      {children}
    </div>
  );
}
