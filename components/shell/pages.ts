import {
  BookMarked,
  ChartNoAxesColumn,
  FileText,
  House,
  KeyRound,
  type LucideIcon,
  MessageSquareQuote,
  Settings,
  Wallet,
} from "lucide-react";

interface ConsolePage {
  href: string;
  name: string;
  icon: LucideIcon;
  /** Opens the page when pressed after `g`. */
  letter: string;
}

/** The console pages in the navigation, the palette and the shortcuts. */
export const PAGES: readonly ConsolePage[] = [
  { href: "/overview", name: "Overview", icon: House, letter: "o" },
  { href: "/playground", name: "Playground", icon: MessageSquareQuote, letter: "p" },
  { href: "/documents", name: "Documents", icon: FileText, letter: "d" },
  { href: "/keys", name: "API keys", icon: KeyRound, letter: "k" },
  { href: "/presets", name: "Presets", icon: BookMarked, letter: "r" },
  { href: "/usage", name: "Usage", icon: ChartNoAxesColumn, letter: "u" },
  { href: "/billing", name: "Billing", icon: Wallet, letter: "b" },
  { href: "/settings", name: "Settings", icon: Settings, letter: "s" },
];
