import { cn } from "@/lib/cn";

interface ProgressBarProps {
  label: string;
  /** From 0 to 1. */
  part: number;
  className?: string;
}

/** How far something is. */
export function ProgressBar({ label, part, className }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={part}
      max={1}
      className={cn(
        "block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]",
        className,
      )}
    />
  );
}
