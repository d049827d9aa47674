import { type ReactNode, useId } from "react";
import { cn } from "@/lib/cn";

/** What a control needs so that its label, hint and error belong to it. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** One control with its label, hint and error. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  return (
    <div className={cn("grid gap-1.5", className)}>
      <label htmlFor={id} className="font-medium text-ink">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": notesOf(id, { hint, error }),
        "aria-invalid": error ? true : undefined,
      })}
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface FieldSetProps {
  legend: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}

/** A group of controls that answer one question. */
export function FieldSet({ legend, hint, error, children }: FieldSetProps) {
  const id = useId();
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={notesOf(id, { hint, error })}>
      <legend className="mb-2 font-medium text-ink">{legend}</legend>
      {children}
      <Notes id={id} hint={hint} error={error} />
    </fieldset>
  );
}

interface Notes {
  hint: ReactNode;
  error: string | undefined;
}

function notesOf(id: string, { hint, error }: Notes): string | undefined {
  if (error) {
    return `${id}-error`;
  }
  return hint ? `${id}-hint` : undefined;
}

/** The hint, or in its place what is wrong. */
function Notes({ id, hint, error }: Notes & { id: string }) {
  return (
    <>
      {hint && !error && (
        <p id={`${id}-hint`} className="text-muted text-xs">
          {hint}
        </p>
      )}
      {/* Always there, if out of the flow: only a change inside a live region is announced. */}
      <div aria-live="polite" className="empty:absolute">
        {error && (
          <p id={`${id}-error`} className="text-danger text-xs">
            {error}
          </p>
        )}
      </div>
    </>
  );
}
