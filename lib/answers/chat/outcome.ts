import type { ModelUsage } from "@/lib/models/schema";
import type { ChatKind } from "@/lib/money/billing/rates";
import { toAppError } from "@/lib/platform/http/error-response";
import { abortReason, CLIENT_DISCONNECTED } from "@/lib/platform/http/shutdown";

/** How far a request got. */
export interface Progress {
  kind: ChatKind;
  usage: ModelUsage;
  firstTokenMs: number | null;
}

/** How a request ended. */
export interface CompletionOutcome {
  status: number;
  errorCode?: string;
  isCharged: boolean;
}

export const ANSWERED: CompletionOutcome = { status: 200, isCharged: true };

/** How a request that got no whole answer ended; `thrown` is undefined when a stream was abandoned. */
export function outcomeOf(
  thrown: unknown,
  signal: AbortSignal,
  isStreaming: boolean,
): CompletionOutcome {
  const wasLeft = thrown === undefined || signal.aborted;
  const reason = abortReason(signal);
  const { status, code } = wasLeft ? (reason ?? CLIENT_DISCONNECTED) : toAppError(thrown);
  // A client that leaves pays for what the model was asked, and so does one whose stream a stopping server cut off: it
  // has what was generated. A failure costs nothing.
  return { status, errorCode: code, isCharged: wasLeft && (isStreaming || !reason) };
}
