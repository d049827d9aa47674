interface SiteLink {
  href: string;
  name: string;
}

/** The pages that the header links to. */
export const SITE_PAGES: readonly SiteLink[] = [
  { href: "/docs", name: "Docs" },
  { href: "/pricing", name: "Pricing" },
];

export const FOOTER_GROUPS: readonly { name: string; links: readonly SiteLink[] }[] = [
  {
    name: "Product",
    links: [
      { href: "/pricing", name: "Plans and prices" },
      { href: "/overview", name: "Console" },
      { href: "/playground", name: "Playground" },
    ],
  },
  {
    name: "Developers",
    links: [
      { href: "/docs/quickstart", name: "Quickstart" },
      { href: "/docs/api", name: "API reference" },
      { href: "/docs/clients", name: "Client libraries" },
      { href: "/docs/self-hosting", name: "Self-hosting" },
    ],
  },
  {
    name: "Trust",
    links: [
      { href: "/docs/citations", name: "How citations are checked" },
      { href: "/docs/benchmarks", name: "Measurements" },
      { href: "/docs/security", name: "Security" },
    ],
  },
];
