import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormError } from "@/components/ui/form-error";
import { UsdInput } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { useOnChange } from "@/components/ui/use-on-change";
import { useSetLowBalance } from "@/lib/money/billing/client";
import { findThresholdProblem, formatCentsInput, parseCents } from "./amount";

/** The amount is formatted for display; null when alerts are off. */
export function ThresholdForm({ amount }: { amount: string | null }) {
  const change = useSetLowBalance();
  const shown = amount?.slice(1) ?? "";
  // No default values: they would overwrite text typed before hydration.
  const form = useForm<{ amount: string }>();
  useOnChange(shown, (saved) => form.reset({ amount: saved }, { keepFieldsRef: true }));
  const { errors } = form.formState;
  const typed = useWatch({ control: form.control, name: "amount", defaultValue: shown });
  const set = (threshold_usd: string | null, onSet: () => void) =>
    change.mutate(
      { threshold_usd },
      {
        onSuccess: () => {
          onSet();
          toast.success(`Low-balance email is ${threshold_usd === null ? "off" : "on"}`);
        },
      },
    );
  const save = form.handleSubmit(({ amount: text }) => {
    const cents = parseCents(text) ?? 0;
    set((cents / 100).toFixed(2), () => form.reset({ amount: formatCentsInput(cents) }));
  });
  // Moves focus, because the pressed button is gone by then.
  const turnOff = () => set(null, () => form.setFocus("amount"));
  const isTurningOff = change.isPending && change.variables.threshold_usd === null;
  return (
    <form noValidate onSubmit={save} className="grid gap-3">
      <Field label="Email owners when the balance drops below" error={errors.amount?.message}>
        {(control) => (
          <UsdInput
            {...control}
            {...form.register("amount", { validate: (text) => findThresholdProblem(text) ?? true })}
            defaultValue={shown}
          />
        )}
      </Field>
      <FormError message={change.error?.message} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant={typed === shown ? "secondary" : "primary"}
          isPending={change.isPending && !isTurningOff}
        >
          Save<span className="sr-only"> the low-balance email</span>
        </Button>
        {amount !== null && (
          <Button variant="ghost" isPending={isTurningOff} onClick={turnOff}>
            Turn off<span className="sr-only"> the low-balance email</span>
          </Button>
        )}
      </div>
    </form>
  );
}
