import type { ReactNode } from "react";
import { CitationScope } from "@/components/citations/citation-scope";
import { CitedAnswer } from "@/components/citations/cited-answer";
import { ClosestPassage } from "@/components/citations/closest-passage";
import { SourcePanel } from "@/components/citations/source-panel";
import { VerificationSummary } from "@/components/citations/verification-summary";
import { Searched } from "@/components/documents/searched";
import { Moment } from "@/components/ui/time";
import type { StoredForConsole, StoredMessage } from "@/lib/answers/chat/stored-schema";
import { UrlCitation, Verification } from "@/lib/answers/citations/schema";
import { cn } from "@/lib/cn";
import type { RequestRecord } from "@/lib/money/usage/schema";
import { Section } from "./section";

type Shown = Extract<StoredForConsole, { access: "shown" }>;
type Choice = Shown["completion"]["choices"][number];

/** A stored answer, with its evidence as it was when the request ran. */
export function StoredAnswer({ stored }: { stored: Shown }) {
  const { retrieval } = stored.completion;
  return (
    <>
      <Section title="Messages">
        <ol className="grid gap-2">
          {stored.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      </Section>
      {retrieval && (
        <Section title="Search">
          <div className="rounded-lg border bg-surface px-4 py-3">
            <Searched retrieval={retrieval} />
          </div>
        </Section>
      )}
      <Answers stored={stored} />
    </>
  );
}

interface AnswersProps {
  stored: Shown;
  /** For a reader without an account. */
  isShared?: boolean;
}

/** The choices, each with its verdicts and sources. */
export function Answers({ stored, isShared = false }: AnswersProps) {
  const { choices } = stored.completion;
  return choices.map((choice, index) => (
    <Answer
      key={choice.index}
      number={choices.length > 1 ? index + 1 : null}
      choice={choice}
      stored={stored}
      isShared={isShared}
    />
  ));
}

interface AnswerProps {
  /** Null if there is only one. */
  number: number | null;
  choice: Choice;
  stored: Shown;
  isShared: boolean;
}

function Answer({ number, choice: { message }, stored, isShared }: AnswerProps) {
  // Upstreams may add other fields; only known ones are shown.
  const annotations = UrlCitation.array().safeParse(message.annotations).data;
  const verification = Verification.safeParse(message.verification).data;
  const { citations } = stored.completion;
  const evidence = { annotations, verification };
  return (
    <Section title={number ? `Answer ${number}` : "Answer"}>
      <CitationScope isShared={isShared} {...(number && { name: `answer ${number}` })}>
        <div className="grid gap-3">
          <div
            className={cn(
              "min-w-0 rounded-lg border bg-surface p-4",
              isShared && "font-serif text-[1.1875rem] sm:p-6 [&>div]:leading-[1.7]",
            )}
          >
            {message.content ? (
              <CitedAnswer content={message.content} citations={citations} {...evidence} />
            ) : (
              <p className="text-muted">This answer has no text.</p>
            )}
          </div>
          {citations && <ClosestPassage citations={citations} {...evidence} />}
          {verification && <VerificationSummary verification={verification} />}
          {citations && <SourcePanel citations={citations} {...evidence} />}
          {!isShared && (
            <p className="text-muted text-xs">
              Stored <Moment value={stored.stored_at} />, because the request set{" "}
              <code className="font-mono">store: true</code>. It can’t be changed.
            </p>
          )}
        </div>
      </CitationScope>
    </Section>
  );
}

const ROLES: Record<string, string> = {
  user: "User",
  assistant: "Assistant",
  system: "System",
  developer: "Developer",
  tool: "Tool",
};

function Message({ message }: { message: StoredMessage }) {
  const text = message.content ?? textOf(message.content_parts);
  return (
    <li className="grid min-w-0 gap-1 rounded-lg border bg-surface px-4 py-3">
      <p className="text-muted text-xs">{ROLES[message.role] ?? message.role}</p>
      <p className="max-h-60 overflow-y-auto whitespace-pre-wrap break-words">
        {text || <span className="text-muted">No text</span>}
      </p>
    </li>
  );
}

/** The text parts of the content, and the types of the others. */
function textOf(parts: StoredMessage["content_parts"]): string {
  return (parts ?? [])
    .map((part) => (typeof part.text === "string" ? part.text : `[${part.type}]`))
    .join("\n");
}

interface NoAnswerProps {
  request: RequestRecord;
  /** Whether there is an answer that this member can't see. */
  isHidden: boolean;
}

/** Explains why there is no text: it was never stored, was deleted, or belongs to one person. */
export function NoAnswer({ request, isHidden }: NoAnswerProps) {
  const isCompletion = request.kind === "core" || request.kind === "grounded";
  const isExplained = request.status >= 400 && request.error_code !== null && !isHidden;
  return isCompletion && !isExplained && <Explanation>{whyNot(request, isHidden)}</Explanation>;
}

export function DeletedAnswer() {
  return <Explanation>{DELETED}</Explanation>;
}

const DELETED = "The stored answer and its evidence were deleted.";

function Explanation({ children }: { children: ReactNode }) {
  return (
    <Section title="Answer">
      <p className="rounded-lg border bg-surface p-4 text-muted leading-6">{children}</p>
    </Section>
  );
}

function whyNot({ status, details }: RequestRecord, isHidden: boolean): ReactNode {
  if (isHidden) {
    return "This stored answer belongs to one person. Only they can see its text.";
  }
  if (details.is_stored) {
    return DELETED;
  }
  if (status >= 400) {
    return "No answer. The request failed.";
  }
  return (
    <>
      Messages and answers aren’t stored unless the request sets{" "}
      <code className="font-mono text-ink text-xs">store: true</code>. This one didn’t.
    </>
  );
}
