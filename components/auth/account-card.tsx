import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { Logo } from "@/components/shell/logo";
import { FlaggedClaim } from "./flagged-claim";

interface AccountCardProps {
  title: string;
  /** A link to the alternative page. */
  other: { question: string; name: string; href: string };
  children: ReactNode;
}

/** The frame of the sign-in, sign-up, invitation and password pages. Their scripts load when a field is about to be used. */
export function AccountCard({ title, other, children }: AccountCardProps) {
  return (
    <div data-scripts-on-use className="grid min-h-dvh lg:grid-cols-2">
      {/* From a fixed height: a centered form would move while the rest of it arrives. */}
      <main className="grid content-start justify-items-center px-4 pt-[16vh] pb-10">
        <div className="grid w-full max-w-sm gap-6">
          <div className="grid justify-items-center gap-4 text-center">
            <Logo href="/" />
            <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          </div>
          <div className="grid gap-5 rounded-lg border bg-surface p-5 sm:p-6">{children}</div>
          <p className="text-center text-muted">
            {other.question}{" "}
            <Link
              href={other.href}
              className="font-medium text-accent underline underline-offset-4"
            >
              {other.name}
            </Link>
          </p>
        </div>
      </main>
      <FlaggedClaim />
    </div>
  );
}

/** Metadata for a page opened by a link that contains a secret. */
export function linkMetadata(title: string): Metadata {
  return { title, referrer: "no-referrer", robots: { index: false } };
}
