"use client";

import { cn } from "@/lib/cn";
import { useAnswer } from "./answer-context";
import { Marker } from "./marker";
import type { Range } from "./places";
import { cut, type Stretch } from "./segments";
import { claimLook } from "./verdict-mark";

/** Words of the answer, with their markers and verdicts. `shown`: what they read as, if not as written. */
export function WordsOf({ range, shown }: { range: Range; shown?: string | undefined }) {
  const { content, stretches } = useAnswer();
  const pieces = cut(stretches, range);
  if (shown !== undefined) {
    return <Claimed stretch={pieces[0]}>{shown}</Claimed>;
  }
  return pieces.map((piece) =>
    piece.marker ? (
      <Marker key={piece.start} marker={piece.marker} />
    ) : (
      <Claimed key={piece.start} stretch={piece}>
        {content.slice(piece.start, piece.end)}
      </Claimed>
    ),
  );
}

function Claimed({ stretch, children }: { stretch: Stretch | undefined; children: string }) {
  const { active } = useAnswer();
  const isActive = Boolean(
    stretch && active && active.start <= stretch.start && stretch.end <= active.end,
  );
  if (!stretch?.claim && !isActive) {
    return children;
  }
  const verdict = stretch?.claim?.verdict;
  return (
    <span
      data-verdict={verdict}
      className={cn(verdict && claimLook(verdict), isActive && "rounded-sm bg-accent-soft")}
    >
      {children}
    </span>
  );
}
