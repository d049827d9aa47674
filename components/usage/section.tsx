import { type ReactNode, useId } from "react";

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
