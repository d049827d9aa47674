interface SiteLink {
  href: string;
  name: string;
}

/** The pages that the header links to. */
export const SITE_PAGES: readonly SiteLink[] = [
  { href: "/docs", name: "Docs" },
  { href: "/pricing", name: "Pricing" },
  { href: "/trust", name: "Trust" },
];

export const FOOTER_GROUPS: readonly { name: string; links: readonly SiteLink[] }[] = [
  {
    name: "Product",
    links: [
      { href: "/pricing", name: "Pricing" },
      { href: "/overview", name: "Console" },
      { href: "/playground", name: "Playground" },
      { href: "/changelog", name: "Changelog" },
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
      { href: "/trust", name: "Verification" },
      { href: "/docs/benchmarks", name: "Measurements" },
      { href: "/docs/red-team", name: "Red team" },
      { href: "/docs/security", name: "Security" },
    ],
  },
  {
    name: "Legal",
    links: [
      { href: "/terms", name: "Terms" },
      { href: "/privacy", name: "Privacy policy" },
    ],
  },
];
