import {
  Activity,
  BookOpen,
  FileText,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  MessageSquarePlus,
  Monitor,
  Moon,
  Plus,
  Rocket,
  Settings,
  Sun,
  TextSearch,
  Upload,
  Wallet,
} from "lucide-react";
import { addressOf, DOC_GROUPS } from "@/components/docs/pages";
import type { DocHit } from "@/components/docs/search-schema";
import { SETTINGS_PAGES } from "@/components/settings/pages";
import type { ListedDocument } from "@/lib/library/documents/library-schema";
import type { Key } from "@/lib/money/keys/schema";
import { PAGES } from "../pages";
import { SITE_PAGES } from "../site-pages";
import type { Theme } from "../theme";
import type { Findable } from "./rank";

export type Action =
  | { kind: "go"; href: string }
  | { kind: "theme"; theme: Theme }
  | { kind: "new-conversation" | "shortcuts" | "sign-out" };

export interface Entry extends Findable {
  id: string;
  icon: LucideIcon;
  /** Shown at the end of the line. */
  detail?: string;
  /** A second line. */
  excerpt?: string;
  /** The shortcut that does the same. */
  keys?: readonly string[];
  action: Action;
}

export interface EntryGroup {
  name: string;
  entries: readonly Entry[];
}

/** The pages of ids, by their prefix. */
const ID_PAGES = [
  { prefix: "req", name: "request", icon: Activity, path: "/usage" },
  { prefix: "doc", name: "document", icon: FileText, path: "/documents" },
  { prefix: "key", name: "API key", icon: KeyRound, path: "/keys" },
];

/** The page of an id, such as an `x-request-id`, if the text is one. */
export function idEntries(text: string): Entry[] {
  const prefix = /^([a-z]{2,10})_[0-9a-z]{26}$/.exec(text)?.[1];
  return ID_PAGES.filter((page) => page.prefix === prefix).map(({ name, icon, path }) => ({
    id: `id ${text}`,
    name: `Open ${name}`,
    detail: text,
    icon,
    action: go(`${path}/${text}`),
  }));
}

const go = (href: string): Action => ({ kind: "go", href });

const SETTINGS_KEYWORDS: Partial<Record<string, string>> = {
  security: "password sessions sign out browsers",
  account: "members team invite rename delete",
  data: "originals sharing retention privacy",
  activity: "audit log who changed",
};

const GO_TO: readonly Entry[] = PAGES.map(({ href, name, icon, letter }) => ({
  id: `page ${href}`,
  name,
  icon,
  keywords: "go to open page",
  keys: ["G", letter.toUpperCase()],
  action: go(href),
}));

const SETTINGS: readonly Entry[] = SETTINGS_PAGES.filter(({ id }) => id !== "profile").map(
  ({ id, name, href }) => ({
    id: `settings ${id}`,
    name: `Settings: ${name}`,
    icon: Settings,
    keywords: SETTINGS_KEYWORDS[id],
    action: go(href),
  }),
);

const ACTIONS: readonly Entry[] = [
  {
    id: "create key",
    name: "Create key",
    icon: Plus,
    keywords: "new api secret token add",
    action: go("/keys?create=1"),
  },
  {
    id: "first request",
    name: "Make your first request",
    icon: Rocket,
    keywords: "start quickstart code curl python typescript sample onboarding",
    action: go("/start"),
  },
  {
    id: "add funds",
    name: "Add funds",
    icon: Wallet,
    keywords: "balance billing pay credit money top up",
    action: go("/billing"),
  },
  {
    id: "upload documents",
    name: "Upload documents",
    icon: Upload,
    keywords: "add new file import knowledge",
    action: go("/documents?upload=1"),
  },
  {
    id: "new conversation",
    name: "New conversation",
    icon: MessageSquarePlus,
    keywords: "playground chat ask question clear",
    action: { kind: "new-conversation" },
  },
];

const THEMES: readonly { theme: Theme; name: string; icon: LucideIcon }[] = [
  { theme: "light", name: "Switch to light theme", icon: Sun },
  { theme: "dark", name: "Switch to dark theme", icon: Moon },
  { theme: "system", name: "Use the system theme", icon: Monitor },
];

const REST: readonly Entry[] = [
  {
    id: "documentation",
    name: "Documentation",
    icon: BookOpen,
    keywords: "docs help guides manual",
    action: go("/docs"),
  },
  {
    id: "shortcuts",
    name: "Keyboard shortcuts",
    icon: Keyboard,
    keywords: "help keys hotkeys",
    keys: ["?"],
    action: { kind: "shortcuts" },
  },
  {
    id: "sign out",
    name: "Sign out",
    icon: LogOut,
    keywords: "log out leave logout",
    action: { kind: "sign-out" },
  },
];

const GUIDES: readonly Entry[] = DOC_GROUPS.flatMap(({ name: group, pages }) =>
  pages.map((page) => ({
    id: `guide ${page.slug}`,
    name: page.label,
    icon: BookOpen,
    keywords: "docs documentation help",
    detail: group,
    action: go(addressOf(page)),
  })),
);

/** The entries that exist in every account. */
export function staticGroups(current: Theme): readonly EntryGroup[] {
  const themes = THEMES.map(({ theme, name, icon }) => ({
    id: `theme ${theme}`,
    name,
    icon,
    keywords: "appearance mode color colour switch",
    action: { kind: "theme" as const, theme },
    ...(theme === current && { detail: "Current" }),
  }));
  return [
    { name: "Go to", entries: [...GO_TO, ...SETTINGS] },
    { name: "Actions", entries: [...ACTIONS, ...themes, ...REST] },
    { name: "Documentation", entries: GUIDES },
  ];
}

/** The entries that a visitor has too. */
export function siteGroups(): readonly EntryGroup[] {
  const pages = SITE_PAGES.map(({ href, name }) => ({
    id: `page ${href}`,
    name,
    icon: FileText,
    action: go(href),
  }));
  return [
    { name: "Documentation", entries: GUIDES },
    { name: "Pages", entries: pages },
  ];
}

/** Hits inside the documentation. Pages themselves are found by their names. */
export function guideEntries(hits: readonly DocHit[]): Entry[] {
  return hits
    .filter(({ section, excerpt }) => section !== null || excerpt !== null)
    .map(({ url, page, section, excerpt }) => ({
      id: `docs ${url}`,
      name: section ?? page,
      icon: TextSearch,
      ...(section && { detail: page }),
      ...(excerpt && { excerpt }),
      action: go(url),
    }));
}

const KEY_STATES: Record<Key["status"], string> = {
  usable: "",
  expired: "Expired",
  revoked: "Revoked",
};

export function keyEntry({ id, name, display, status }: Key): Entry {
  return {
    id,
    name,
    icon: KeyRound,
    detail: [KEY_STATES[status], display].filter(Boolean).join(" · "),
    action: go(`/keys/${encodeURIComponent(id)}`),
  };
}

export function documentEntry({ id, title, scope }: ListedDocument): Entry {
  return {
    id,
    name: title,
    icon: FileText,
    detail: scope === "personal_kb" ? "Personal" : "Account",
    action: go(`/documents/${encodeURIComponent(id)}`),
  };
}
