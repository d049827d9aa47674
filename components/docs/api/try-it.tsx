"use client";

import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextField } from "@/components/ui/field";
import {
  sendRequest,
  type TryItAnswer,
  type TryItSpec,
  type TryItValues,
  toFetch,
} from "./send-request";

/** The reader's key, in memory only: it is gone with the page. */
let key = "";
const listeners = new Set<() => void>();

function setKey(next: string): void {
  key = next;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A form that sends the operation with the reader's own key. Its fields are made when it is opened. */
export function TryIt(spec: TryItSpec) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It may have been opened before hydration.
  useEffect(() => setOpen(details.current?.open ?? false), []);
  return (
    <details
      ref={details}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="min-w-0 rounded-lg border bg-surface"
    >
      <summary className="flex min-h-10 cursor-pointer items-center rounded-lg px-4 font-medium outline-offset-[-2px]">
        Try it
      </summary>
      {isOpen && <TryItForm spec={spec} />}
    </details>
  );
}

function TryItForm({ spec }: { spec: TryItSpec }) {
  const secret = useSyncExternalStore(
    subscribe,
    () => key,
    () => "",
  );
  const [values, setValues] = useState<Omit<TryItValues, "key">>({
    ids: {},
    query: spec.query ?? "",
    body: spec.body ?? "",
    file: null,
  });
  const { answer, failure, isSending, send } = useSending();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(toFetch(spec, { ...values, key: secret }));
  };
  return (
    <form onSubmit={submit} className="grid min-w-0 gap-4 border-t p-4">
      <TextField
        label="API key"
        hint="Stays in this page’s memory. Requests are real and are charged to your balance."
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        value={secret}
        onChange={({ target }) => setKey(target.value)}
      />
      <RequestFields
        spec={spec}
        values={values}
        onChange={(change) => setValues({ ...values, ...change })}
      />
      <Button type="submit" variant="primary" isPending={isSending} className="w-fit">
        Send request
      </Button>
      <div role="status" className="grid min-w-0 gap-2 empty:hidden">
        {failure && <p className="text-danger">{failure}</p>}
        {answer && <Answer answer={answer} />}
      </div>
    </form>
  );
}

interface RequestFieldsProps {
  spec: TryItSpec;
  values: Omit<TryItValues, "key">;
  onChange: (change: Partial<TryItValues>) => void;
}

/** The parts that this operation takes: ids, query, body and file. */
function RequestFields({ spec, values, onChange }: RequestFieldsProps) {
  const { ids, query, body } = values;
  return (
    <>
      {spec.ids.map((name) => (
        <TextField
          key={name}
          label={<code className="font-mono text-xs">{name}</code>}
          required
          value={ids[name] ?? ""}
          onChange={({ target }) => onChange({ ids: { ...ids, [name]: target.value } })}
        />
      ))}
      {spec.query !== null && (
        <TextField
          label="Query"
          placeholder="limit=20"
          value={query}
          onChange={({ target }) => onChange({ query: target.value })}
        />
      )}
      {spec.body !== null && (
        <Field label="Body">
          {(control) => (
            <textarea
              {...control}
              rows={Math.min(body.split("\n").length + 1, 16)}
              spellCheck={false}
              value={body}
              onChange={({ target }) => onChange({ body: target.value })}
              className="w-full min-w-0 rounded-md border border-control bg-surface p-2.5 font-mono text-base leading-5 sm:text-xs"
            />
          )}
        </Field>
      )}
      {spec.form && (
        <Field label="File">
          {(control) => (
            <input
              {...control}
              type="file"
              required
              onChange={({ target }) => onChange({ file: target.files?.[0] ?? null })}
              className="w-full min-w-0 text-sm"
            />
          )}
        </Field>
      )}
    </>
  );
}

function Answer({ answer: { status, requestId, milliseconds, text } }: { answer: TryItAnswer }) {
  return (
    <>
      <p className="text-muted text-xs [overflow-wrap:anywhere]">
        <span className={status < 400 ? "font-medium text-success" : "font-medium text-danger"}>
          {status}
        </span>{" "}
        · {milliseconds.toLocaleString("en")} ms{requestId && ` · ${requestId}`}
      </p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a long answer.
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md bg-code p-3 font-mono text-on-code text-xs leading-5"
      >
        {text}
      </pre>
    </>
  );
}

function useSending() {
  const [answer, setAnswer] = useState<TryItAnswer | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (request: ReturnType<typeof toFetch>) => {
    setSending(true);
    setFailure(null);
    setAnswer(null);
    await sendRequest(request, setAnswer).catch(() =>
      setFailure("The request couldn’t be sent. Check your connection and try again."),
    );
    setSending(false);
  };
  return { answer, failure, isSending, send };
}
