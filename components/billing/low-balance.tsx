"use client";

import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { toast } from "@/components/ui/toast";
import { sayUsd } from "@/components/ui/usd";
import { UsdInput } from "@/components/ui/usd-input";
import { lowBalanceQuery, useSetLowBalance } from "@/lib/billing/client";
import type { LowBalance as Setting } from "@/lib/billing/schema";
import { findThresholdProblem, formatCents, parseCents } from "./amount";
import { sayLowBalance } from "./words";

/** Whether owners are told by e-mail that the balance is low, and for an owner the way to change it. */
export function LowBalance({ setting }: { setting: Setting }) {
  const { data } = useQuery({ ...lowBalanceQuery, initialData: setting });
  const amount = data.threshold_usd === null ? null : sayUsd(data.threshold_usd);
  return (
    <section
      aria-labelledby="low-balance"
      className="grid gap-x-10 gap-y-4 rounded-lg border bg-surface p-5 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="grid content-start gap-1.5">
        <h2 id="low-balance" className="font-medium text-base">
          Low-balance e-mail
        </h2>
        <p className="max-w-prose text-muted">
          {sayLowBalance(amount)}
          {!data.can_change && " An owner can change this."}
        </p>
        {!data.can_mail && (
          <p className="max-w-prose text-muted text-xs">
            This server cannot send mail yet: whoever runs it finds a line in its log instead.
          </p>
        )}
      </div>
      {data.can_change && <ThresholdForm amount={amount} />}
    </section>
  );
}

/** The amount is for reading, null while no e-mail is sent. */
function ThresholdForm({ amount }: { amount: string | null }) {
  const change = useSetLowBalance();
  const form = useForm({ values: { amount: amount?.slice(1) ?? "" } });
  const { errors, isDirty } = form.formState;
  const save = form.handleSubmit(({ amount: text }) => {
    const cents = parseCents(text) ?? 0;
    change.mutate(
      { threshold_usd: (cents / 100).toFixed(2) },
      {
        onSuccess: () => {
          form.reset({ amount: formatCents(cents) });
          toast.success("The low-balance e-mail is on");
        },
      },
    );
  });
  const turnOff = () =>
    change.mutate(
      { threshold_usd: null },
      {
        onSuccess: () => {
          // The button that was pressed is gone then.
          form.setFocus("amount");
          toast.success("The low-balance e-mail is off");
        },
      },
    );
  const isTurningOff = change.isPending && change.variables.threshold_usd === null;
  return (
    <form noValidate onSubmit={save} className="grid gap-3">
      <Field label="Tell owners below, in US dollars" error={errors.amount?.message}>
        {(control) => (
          <UsdInput
            {...control}
            {...form.register("amount", { validate: (text) => findThresholdProblem(text) ?? true })}
          />
        )}
      </Field>
      <FormError message={change.error?.message} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant={isDirty ? "primary" : "secondary"}
          isPending={change.isPending && !isTurningOff}
        >
          Save<span className="sr-only"> the low-balance e-mail</span>
        </Button>
        {amount !== null && (
          <Button variant="ghost" isPending={isTurningOff} onClick={turnOff}>
            Turn off<span className="sr-only"> the low-balance e-mail</span>
          </Button>
        )}
      </div>
    </form>
  );
}
