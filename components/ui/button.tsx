import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps, MouseEvent } from "react";
import { cn } from "@/lib/cn";

const look = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-accent text-on-accent hover:bg-accent/90",
        secondary: "border border-line bg-surface text-ink hover:bg-sunken",
        ghost: "text-muted hover:bg-sunken hover:text-ink",
        danger: "bg-danger text-on-danger hover:bg-danger/90",
      },
      size: {
        sm: "h-7 px-2.5 text-xs",
        md: "h-8 px-3 text-sm",
        lg: "h-10 px-4 text-sm",
        icon: "size-8",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof look> {
  /** Gives its look to the only child, such as a link. */
  asChild?: boolean;
  /** Work is under way: shows it and takes no clicks, but keeps the focus. */
  isPending?: boolean;
}

export function Button({
  variant,
  size,
  asChild,
  isPending,
  className,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(look({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  }
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) {
      event.preventDefault();
    } else {
      props.onClick?.(event);
    }
  };
  return (
    <button
      type="button"
      {...props}
      className={classes}
      onClick={click}
      aria-disabled={isPending || undefined}
    >
      {isPending && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
    </button>
  );
}
