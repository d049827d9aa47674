"use client";

import "./globals.css";
import { ErrorState } from "@/components/shell/state";
import { FirstPaintScript } from "@/components/shell/theme";

export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <title>Footnote</title>
        <FirstPaintScript />
      </head>
      <body className="font-sans text-sm antialiased">
        <main className="mx-auto max-w-xl px-4 py-16">
          <ErrorState
            heading="h1"
            title="We couldn’t load Footnote"
            description="Something went wrong on our side. Try again in a moment."
            onRetry={retry}
          />
        </main>
      </body>
    </html>
  );
}
