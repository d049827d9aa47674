import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/lib/cn";

interface ChoiceProps extends Omit<ComponentProps<"input">, "type" | "children"> {
  label: ReactNode;
  description?: ReactNode;
}

/** A native check box with a label and a description. */
export function Checkbox(props: ChoiceProps) {
  return <Choice {...props} type="checkbox" />;
}

/** A native radio button styled as a card. */
export function RadioCard({ className, ...props }: ChoiceProps) {
  return (
    <Choice
      {...props}
      type="radio"
      className={cn(
        "rounded-md border p-2.5 hover:bg-sunken/60 has-checked:border-accent has-checked:bg-accent-soft",
        className,
      )}
    />
  );
}

function Choice({
  label,
  description,
  type,
  className,
  ...props
}: ChoiceProps & { type: "checkbox" | "radio" }) {
  const id = useId();
  return (
    <label className={cn("flex min-h-6 items-start gap-2.5", className)}>
      <input
        {...props}
        type={type}
        aria-labelledby={`${id}-label`}
        aria-describedby={description ? `${id}-about` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="grid min-w-0 gap-0.5">
        <span id={`${id}-label`} className="text-ink">
          {label}
        </span>
        {description && (
          <span id={`${id}-about`} className="text-muted text-xs">
            {description}
          </span>
        )}
      </span>
    </label>
  );
}
