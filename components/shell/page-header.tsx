import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  description: string;
  actions?: ReactNode;
}

/** What a console page is for, and its main action. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid gap-1">
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        <p className="max-w-prose text-muted">{description}</p>
      </div>
      {actions}
    </header>
  );
}
