"use client";

import { useAnswer } from "./answer-context";
import { WordsOf } from "./words-of";

/** The answer as it is written, with its markers. */
export function PlainAnswer() {
  const { content } = useAnswer();
  return (
    <p className="whitespace-pre-wrap">
      <WordsOf range={{ start: 0, end: content.length }} />
    </p>
  );
}
