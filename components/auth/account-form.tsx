"use client";

import type { FormEvent, ReactNode } from "react";
import type { FieldValues, FormState } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { type registerField, TextField } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";

interface AccountFormProps<T extends FieldValues> {
  state: FormState<T>;
  onSubmit: (event: FormEvent) => void;
  submitLabel: string;
  /** Whether another page follows: the form stays pending until then. */
  isLeaving?: boolean;
  /** Shown instead of the server's error of the whole form. */
  error?: string | null | undefined;
  children: ReactNode;
}

/** The form of an account page. */
export function AccountForm<T extends FieldValues>({ state, ...props }: AccountFormProps<T>) {
  const { errors, isSubmitting, isSubmitSuccessful } = state;
  const isPending = isSubmitting || (isSubmitSuccessful && props.isLeaving);
  return (
    // Without a method, a form submitted before hydration would put the password into the URL.
    <form method="post" noValidate onSubmit={props.onSubmit} className="grid gap-4">
      {props.children}
      <FormError message={props.error ?? errors.root?.message} />
      <Button type="submit" variant="primary" size="lg" isPending={isPending}>
        {props.submitLabel}
      </Button>
    </form>
  );
}

/** The email that someone signs in with. `field` is from `registerField`. */
export function EmailField(field: ReturnType<typeof registerField>) {
  return <TextField label="Email" {...field} type="email" autoComplete="email" />;
}

/** Replaces a form that is done. Takes focus, so that screen readers announce it. */
export function Outcome({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      ref={(element) => element?.focus()}
      tabIndex={-1}
      aria-label={title}
      className="grid gap-3 outline-none"
    >
      <h2 className="font-medium text-base">{title}</h2>
      {children}
    </section>
  );
}
