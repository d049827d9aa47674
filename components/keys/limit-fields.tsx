import type { ComponentProps } from "react";
import { useFormContext } from "react-hook-form";
import { Field, FieldSet } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { UsdInput } from "@/components/ui/usd-input";
import type { KeyForm } from "./key-form";

/** What any key may have in a minute at most. */
export interface ServerLimits {
  requests: number;
  tokens: number;
}

/** How much the key may spend in a month, and how fast. All of it optional. */
export function LimitFields({ limits }: { limits: ServerLimits }) {
  const { register, formState } = useFormContext<KeyForm>();
  const { errors } = formState;
  return (
    <FieldSet
      legend="Limits"
      hint="All are optional. A request that may cost more than is left of the budget is refused until the month ends, in UTC."
    >
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label="Monthly budget (USD)" error={errors.monthly_budget_usd?.message}>
          {(control) => (
            <UsdInput {...control} {...register("monthly_budget_usd")} placeholder="No budget" />
          )}
        </Field>
        <Field label="Requests a minute" error={errors.requests_per_minute?.message}>
          {(control) => (
            <CountInput
              {...control}
              {...register("requests_per_minute")}
              placeholder={limits.requests.toLocaleString("en-US")}
            />
          )}
        </Field>
        <Field label="Tokens a minute" error={errors.tokens_per_minute?.message}>
          {(control) => (
            <CountInput
              {...control}
              {...register("tokens_per_minute")}
              placeholder={limits.tokens.toLocaleString("en-US")}
            />
          )}
        </Field>
      </div>
    </FieldSet>
  );
}

function CountInput(props: ComponentProps<"input">) {
  return <Input inputMode="numeric" autoComplete="off" {...props} className="tabular-nums" />;
}
