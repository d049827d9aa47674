import type { Side } from "./conversation";

/** The letter of one of two compared settings. */
export function SideMark({ side }: { side: Side }) {
  return (
    <span className="grid size-5 shrink-0 place-items-center rounded bg-ink font-medium text-canvas text-xs">
      {side === "main" ? "A" : "B"}
    </span>
  );
}
