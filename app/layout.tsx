import "./globals.css";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { ThemeScript } from "@/components/shell/theme";

export const metadata: Metadata = {
  title: { default: "Footnote", template: "%s · Footnote" },
  description: "An HTTP API for chat completions that cite their sources.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // The theme script sets data-theme on this element before React sees it.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <head>
        <ThemeScript />
      </head>
      <body className="font-sans text-sm antialiased">{children}</body>
    </html>
  );
}
