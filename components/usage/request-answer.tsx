import type { StoredForConsole } from "@/lib/answers/chat/stored-schema";
import type { RequestRecord } from "@/lib/money/usage/schema";
import { DeletedAnswer, NoAnswer, StoredAnswer } from "./stored-answer";
import { StoredAnswerPanel } from "./stored-answer-panel";

interface RequestAnswerProps {
  request: RequestRecord;
  stored: StoredForConsole | null;
}

/** A request's stored answer, or an explanation of why there is none. */
export function RequestAnswer({ request, stored }: RequestAnswerProps) {
  const shown = stored?.access === "shown" ? stored : null;
  return (
    <StoredAnswerPanel
      completionId={shown?.completion.id ?? null}
      requestId={request.id}
      deleted={<DeletedAnswer />}
    >
      {shown ? (
        <StoredAnswer stored={shown} />
      ) : (
        <NoAnswer request={request} isHidden={stored !== null} />
      )}
    </StoredAnswerPanel>
  );
}
