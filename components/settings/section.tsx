import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

/** A section of the page: its title beside its card, or above it on a phone. */
export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid items-start gap-x-10 gap-y-3 py-7 first:pt-0 lg:grid-cols-[minmax(16rem,1fr)_minmax(0,3fr)]"
    >
      <div className="grid content-start gap-1">
        <h2 id={id} className="font-medium text-base">
          {title}
        </h2>
        <p className="max-w-prose text-muted">{description}</p>
      </div>
      <div className="min-w-0 rounded-lg border bg-surface">{children}</div>
    </section>
  );
}

export function SectionBody({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 p-4 sm:p-5">{children}</div>;
}
