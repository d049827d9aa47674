import { type ComponentProps, type ReactNode, useId } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { Input } from "./input";

/** Ties a control to its label, hint and error. */
export interface ControlProps {
  /** Its label has this id with `-label` behind it. */
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A control with its label and hint. An error replaces the hint. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const shownHint = error ? null : hint;
  const note = shownHint ? `${id}-hint` : undefined;
  return (
    <div className="grid gap-1.5">
      <label id={`${id}-label`} htmlFor={id} className="font-medium text-ink">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": error ? `${id}-error` : note,
        "aria-invalid": error ? true : undefined,
      })}
      <Hint id={id} hint={shownHint} />
      <ErrorText id={id} error={error} />
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, "children"> & ComponentProps<"input">;

export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}

/** The props that connect a `TextField` to a form: value, events and error. */
export function registerField<T extends FieldValues>(
  form: Pick<UseFormReturn<T>, "register" | "getFieldState" | "formState">,
  name: Path<T>,
) {
  const { error } = form.getFieldState(name, form.formState);
  return { ...form.register(name), error: error?.message };
}

interface FieldSetProps {
  legend: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}

/** A group of controls under one legend. */
export function FieldSet({ legend, hint, error, children }: FieldSetProps) {
  const id = useId();
  const notes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={notes || undefined}>
      <legend className={hint ? "mb-0.5" : "mb-2"}>
        <span className="font-medium text-ink">{legend}</span>
      </legend>
      <Hint id={id} hint={hint} />
      {children}
      <ErrorText id={id} error={error} />
    </fieldset>
  );
}

function Hint({ id, hint }: { id: string; hint: ReactNode }) {
  return (
    hint && (
      <p id={`${id}-hint`} className="text-muted text-xs">
        {hint}
      </p>
    )
  );
}

/** A reason such as "use at most 100 characters", which errors of the API contain, as a sentence. */
export function asSentence(reason: string): string {
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Rendered even when empty: screen readers announce only changes inside an existing live region. */
function ErrorText({ id, error }: { id: string; error: string | undefined }) {
  return (
    <div aria-live="polite" className="empty:absolute">
      {error && (
        <p id={`${id}-error`} className="text-danger text-xs">
          {asSentence(error)}
        </p>
      )}
    </div>
  );
}
