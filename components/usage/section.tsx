import { type ReactNode, useId } from "react";

/** A section of the request page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-2.5">
      <h2 id={id} className="font-medium text-base">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A list of labels and values. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border bg-surface p-4">
      {children}
    </dl>
  );
}

interface FactProps {
  name: string;
  /** Spans the full width. */
  isWide?: boolean;
  children: ReactNode;
}

export function Fact({ name, isWide, children }: FactProps) {
  return (
    <div className={isWide ? "col-span-full min-w-0" : "min-w-0"}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
