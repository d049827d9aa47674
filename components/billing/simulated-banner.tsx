import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";

/** A banner explaining that the page is simulated. */
export function SimulatedBanner({ title, children }: { title: string; children: ReactNode }) {
  return (
    <aside aria-label="About this page" className="border-b bg-warning-soft">
      <p className="mx-auto flex max-w-lg gap-2.5 px-4 py-3">
        <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <span>
          <strong className="font-semibold text-warning">{title}</strong> {children}
        </span>
      </p>
    </aside>
  );
}
