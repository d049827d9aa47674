import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  description?: string;
  actions?: ReactNode;
}

/** The title of a console page, what it is for, and its main action. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
        {description && <p className="max-w-prose text-muted">{description}</p>}
      </div>
      {actions}
    </header>
  );
}
