import type { ReactNode } from "react";

interface FactProps {
  name: string;
  note?: string | null;
  className?: string;
  children: ReactNode;
}

/** One entry of a description list; nothing without a value. */
export function Fact({ name, note, className, children }: FactProps) {
  return (
    children && (
      <div className={className}>
        <dt className="text-muted text-xs">{name}</dt>
        <dd className="[overflow-wrap:anywhere]">
          {children}
          {note && <span className="block text-muted text-xs">{note}</span>}
        </dd>
      </div>
    )
  );
}
