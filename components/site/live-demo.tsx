"use client";

import { ArrowUp } from "lucide-react";
import Link from "next/link";
import { type FormEvent, useRef, useState } from "react";
import { ANSWERED_LABELS } from "@/components/citations/summary";
import { Button } from "@/components/ui/button";
import type { DemoAnswer } from "@/lib/answers/demo/schema";
import { SUGGESTIONS } from "@/lib/answers/demo/suggestions";
import { AppError } from "@/lib/errors";
import { fetchJson } from "@/lib/fetch-json";
import { NotedAnswer } from "./noted-answer";

const MAX_LENGTH = 300;
const PLACEHOLDER = "What are the signs of a stroke?";

type State =
  | { status: "idle" }
  | { status: "asking"; question: string }
  | { status: "failed"; question: string; message: string; isFinal: boolean }
  | { status: "answered"; answer: DemoAnswer };

/** A few questions to the built-in model, without an account. */
export function LiveDemo() {
  // Uncontrolled, so that what was typed before hydration stays.
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<State>({ status: "idle" });
  const latest = useRef(0);
  const ask = async (text: string) => {
    const asked = text.trim();
    latest.current += 1;
    const turn = latest.current;
    if (field.current) {
      field.current.value = asked;
    }
    setState({ status: "asking", question: asked });
    const next = await fetchJson("/api/demo", {
      schema: async () => (await import("@/lib/answers/demo/schema")).DemoAnswer,
      body: { question: asked },
    }).then(
      (answer): State => ({ status: "answered", answer }),
      (thrown: unknown): State => toFailure(asked, thrown),
    );
    if (turn === latest.current) {
      setState(next);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask(field.current?.value.trim() || PLACEHOLDER);
  };
  return (
    <section id="try" aria-labelledby="try-title" className="scroll-mt-4 border-y bg-sunken">
      <div className="mx-auto grid max-w-4xl gap-6 px-4 py-16 sm:px-6 sm:py-20">
        <div className="grid justify-items-center gap-3 text-center">
          <h2
            id="try-title"
            className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em]"
          >
            Ask it something
          </h2>
          <p className="max-w-xl text-pretty text-[1.0625rem] text-muted leading-7">
            Five free questions a day on 48 medical articles, answered by the built-in model, which
            quotes its sources. Questions aren’t stored.
          </p>
        </div>
        <form onSubmit={submit} className="relative">
          <label htmlFor="demo-question" className="sr-only">
            Question
          </label>
          <input
            ref={field}
            id="demo-question"
            maxLength={MAX_LENGTH}
            autoComplete="off"
            placeholder={PLACEHOLDER}
            className="h-14 w-full rounded-xl border border-control bg-surface pr-16 pl-5 text-base shadow-sm"
          />
          <Button
            type="submit"
            variant="primary"
            aria-label="Ask"
            className="absolute top-2 right-2 size-10 rounded-lg px-0"
          >
            <ArrowUp aria-hidden />
          </Button>
        </form>
        <ul aria-label="Example questions" className="flex flex-wrap justify-center gap-2">
          {SUGGESTIONS.map(({ text, note }) => (
            <li key={text} className="min-w-0">
              <button
                type="button"
                onClick={() => void ask(text)}
                className="min-h-9 max-w-full rounded-full border border-line bg-surface px-4 py-1.5 text-left hover:border-control"
              >
                {text}
                {note && <span className="ml-2 font-medium text-danger text-xs">{note}</span>}
              </button>
            </li>
          ))}
        </ul>
        <div aria-live="polite" className="grid">
          <Outcome state={state} onRetry={(text) => void ask(text)} />
        </div>
      </div>
    </section>
  );
}

function toFailure(question: string, thrown: unknown): State {
  const isKnown = thrown instanceof AppError;
  return {
    status: "failed",
    question,
    message: isKnown ? thrown.message : "Couldn’t reach the server. Check your connection.",
    isFinal: isKnown && (thrown.code === "rate_limit_exceeded" || thrown.code === "not_found"),
  };
}

function Outcome({ state, onRetry }: { state: State; onRetry: (question: string) => void }) {
  switch (state.status) {
    case "idle":
      return null;
    case "asking":
      return (
        <div className="grid gap-3 rounded-2xl border bg-surface p-6">
          <span className="sr-only">Searching and checking</span>
          {["w-11/12", "w-10/12", "w-7/12"].map((width) => (
            <span key={width} className={`h-5 ${width} animate-pulse rounded bg-sunken`} />
          ))}
        </div>
      );
    case "failed":
      return (
        <div className="flex flex-wrap items-center justify-between gap-4 rounded-2xl border bg-surface p-5">
          <p className="min-w-0 flex-1 basis-64">{state.message}</p>
          {state.isFinal ? (
            <Link href="/sign-up" className="font-medium text-accent underline underline-offset-4">
              Get an API key
            </Link>
          ) : (
            <Button onClick={() => onRetry(state.question)}>Try again</Button>
          )}
        </div>
      );
    case "answered":
      return <Answered answer={state.answer} />;
  }
}

function OutOfScope() {
  return (
    <p className="text-muted text-[0.9375rem] leading-6">
      This demo covers 48 articles on common conditions and medicines, from asthma to warfarin. Ask
      about one of those, or pick one of the questions above.
    </p>
  );
}

/** The closest passage supports its own heading, but no answer. */
function withoutVerdicts(answer: DemoAnswer): DemoAnswer {
  const annotations = answer.annotations.map(({ url_citation, ...annotation }) => {
    const { verification: _verification, ...cited } = url_citation;
    return { ...annotation, url_citation: cited };
  });
  return { ...answer, annotations, verification: null };
}

function Answered({ answer }: { answer: DemoAnswer }) {
  const { question, verification, is_scripted, remaining } = answer;
  const answered = verification && ANSWERED_LABELS[verification.answered];
  const isUnanswered = verification?.answered === "no" && verification.contradicted === 0;
  return (
    <article
      aria-label={`Answer to: ${question}`}
      className="min-w-0 animate-appear overflow-hidden rounded-2xl border bg-surface"
    >
      <h3 className="border-b px-5 py-3 font-medium text-[0.9375rem] sm:px-6">{question}</h3>
      {is_scripted && (
        <p className="border-b bg-danger-soft px-5 py-3 sm:px-6">
          <strong className="font-medium">Wrong on purpose.</strong> A script wrote this answer with
          a false dose. The check caught it.
        </p>
      )}
      <NotedAnswer
        key={question}
        answer={isUnanswered ? withoutVerdicts(answer) : answer}
        caption={answer.annotations.length === 0 && <OutOfScope />}
      />
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t px-5 py-3 text-[0.8125rem] text-muted sm:px-6">
        <span>
          {is_scripted || !answered ? "Verdicts are about what the source says." : answered}
        </span>
        <span>
          {remaining === 0 ? "No free questions left today" : `${remaining} left today`} ·{" "}
          <Link href="/sign-up" className="rounded-sm text-accent underline underline-offset-4">
            Ask your own documents
          </Link>
        </span>
      </p>
    </article>
  );
}
