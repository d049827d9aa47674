import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";

interface SimulatedPageProps {
  title: string;
  /** What the page replaces. */
  about: string;
  children: ReactNode;
}

/** A page of the simulated provider, with a banner that says so. */
export function SimulatedPage({ title, about, children }: SimulatedPageProps) {
  return (
    <div className="min-h-dvh">
      <aside aria-label="About this page" className="border-b bg-warning-soft">
        <p className="mx-auto flex max-w-lg gap-2.5 px-4 py-3">
          <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
          <span>
            <strong className="font-semibold text-warning">{title}</strong> {about}
          </span>
        </p>
      </aside>
      <main className="mx-auto grid max-w-lg gap-6 px-4 py-8 sm:py-14">{children}</main>
    </div>
  );
}

interface OrderFactProps {
  name: string;
  isCode?: boolean;
  children: ReactNode;
}

export function OrderFact({ name, isCode, children }: OrderFactProps) {
  return (
    <div className="flex items-baseline justify-between gap-6">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">
        {isCode ? <code className="font-mono text-xs">{children}</code> : children}
      </dd>
    </div>
  );
}
