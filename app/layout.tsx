import "./globals.css";
import { GeistMono } from "geist/font/mono";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { EarlyInput } from "@/components/shell/early-input";
import { sans } from "@/components/shell/sans";
import { FirstPaintScript } from "@/components/shell/theme";
import { pageOrigin } from "@/lib/platform/env";

export const metadata: Metadata = {
  metadataBase: new URL(pageOrigin),
  title: { default: "Footnote: cited answers for OpenAI clients", template: "%s · Footnote" },
  description:
    "Keep your OpenAI client. Add one field, and every sentence links to the exact words that support it, or is flagged when they don’t.",
  openGraph: { siteName: "Footnote", type: "website" },
  twitter: { card: "summary_large_image" },
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The script sets attributes of this element before React sees it.
    <html lang="en" className={`${sans.variable} ${GeistMono.variable}`} suppressHydrationWarning>
      <head>
        <FirstPaintScript />
        <EarlyInput />
      </head>
      <body className="font-sans text-sm antialiased">{children}</body>
    </html>
  );
}
