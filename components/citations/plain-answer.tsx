"use client";

import { useAnswer } from "./answer-context";
import { AnswerText } from "./answer-text";

/** The answer as plain text, with its markers. */
export function PlainAnswer() {
  const { content } = useAnswer();
  return (
    <p className="whitespace-pre-wrap">
      <AnswerText range={{ start: 0, end: content.length }} />
    </p>
  );
}
