import { type ReactNode, useId } from "react";

interface PanelProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

/** One thing to know at a glance. */
export function Panel({ title, action, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-3 rounded-lg border bg-surface p-4"
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h2 id={id} className="font-medium text-muted">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
