"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Tabs } from "@/components/ui/tabs";
import type { DialogHandlers } from "@/components/ui/use-dialog";
import type { Answer } from "./answer";
import type { Run } from "./conversation";
import { toCurl, toPython, toTypeScript } from "./request-code";

interface SettingsDialogProps extends DialogHandlers {
  children: ReactNode;
}

/** The settings, when they don't fit beside the conversation. */
export function SettingsDialog({ children, ...handlers }: SettingsDialogProps) {
  return (
    <Dialog title="Settings" {...handlers}>
      <DialogBody>{children}</DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={handlers.onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

const LANGUAGES = [
  { id: "curl", label: "curl", language: "bash", write: toCurl },
  { id: "python", label: "Python", language: "python", write: toPython },
  { id: "typescript", label: "TypeScript", language: "typescript", write: toTypeScript },
];

interface CodeDialogProps extends DialogHandlers {
  run: Run;
}

/** Code that repeats a request, and the request and its answer as JSON. */
export function CodeDialog({ run: { request, answer }, ...handlers }: CodeDialogProps) {
  const { origin } = window.location;
  return (
    <Dialog
      title="Code for this request"
      description="Set FOOTNOTE_API_KEY to one of your keys. A key with the same knowledge bases finds the same sources."
      size="lg"
      {...handlers}
    >
      <DialogBody>
        <Tabs
          label="Language"
          tabs={[
            ...LANGUAGES.map(({ id, label, language, write }) => ({
              id,
              label,
              content: <CodeBlock code={write(request, origin)} language={language} />,
            })),
            {
              id: "request",
              label: "Request",
              content: <CodeBlock code={toJson(request)} language="json" />,
            },
            {
              id: "answer",
              label: "Answer",
              content: <CodeBlock code={toJson(answerOf(answer))} language="json" />,
            },
          ]}
        />
      </DialogBody>
    </Dialog>
  );
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The answer's fields under their names in the API; those measured here are left out. */
function answerOf({ finishReason, requestId: _, firstTokenMs: __, totalMs: ___, ...rest }: Answer) {
  return { ...rest, ...(finishReason && { finish_reason: finishReason }) };
}
