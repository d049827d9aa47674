import { cva, type VariantProps } from "class-variance-authority";
import Link from "next/link";
import type { ComponentProps, MouseEvent } from "react";
import { cn } from "@/lib/cn";

/** The styles of a button, for links that look like one. */
export const buttonVariants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-ink text-canvas hover:bg-ink/85",
        secondary: "border border-line bg-surface text-ink hover:bg-sunken",
        ghost: "text-muted hover:bg-sunken hover:text-ink",
        danger: "bg-danger text-on-danger hover:bg-danger/90",
      },
      size: {
        sm: "h-7 px-2.5 text-xs",
        md: "h-8 px-3 text-sm",
        lg: "h-10 px-4 text-sm",
        xl: "h-12 rounded-lg px-5 text-base",
        icon: "size-8",
      },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonVariants> {
  /** Shows a spinner and ignores clicks, but keeps focus. */
  isPending?: boolean;
}

export function Button({
  variant,
  size,
  isPending,
  className,
  children,
  onClick,
  ...props
}: ButtonProps) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) {
      event.preventDefault();
    } else {
      onClick?.(event);
    }
  };
  return (
    <button
      type="button"
      {...props}
      className={cn(buttonVariants({ variant, size }), className)}
      onClick={click}
      aria-disabled={isPending || undefined}
    >
      {isPending && (
        <span
          aria-hidden
          className="size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
        />
      )}
      {children}
    </button>
  );
}

type ButtonLinkProps = ComponentProps<typeof Link> & VariantProps<typeof buttonVariants>;

/** A link within the site that looks like a button. */
export function ButtonLink({ variant, size, className, ...props }: ButtonLinkProps) {
  return <Link {...props} className={cn(buttonVariants({ variant, size }), className)} />;
}
