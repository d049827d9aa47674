import type { Retrieval } from "@/lib/library/retrieval/schema";

const METHODS: Record<Retrieval["method"], string> = {
  last: "Used the last message as is.",
  rules: "Rewritten from the conversation by rules.",
  model: "Rewritten from the conversation by a model.",
  given: "Sent with the request.",
};

interface SearchedProps {
  retrieval: Retrieval;
  /** With it, only what differs from the question is shown. */
  question?: string;
}

/** What was searched for, and what to know about the search. */
export function Searched({ retrieval, question }: SearchedProps) {
  const { query, method, corrections, notices, rounds, closest = [] } = retrieval;
  const queries = rounds ? [...new Set(rounds.map((round) => round.query))] : [query];
  const isChanged =
    rounds !== undefined || query.trim() !== question?.trim() || corrections.length > 0;
  return (
    <div className="grid gap-1 text-muted text-xs empty:hidden [overflow-wrap:anywhere]">
      {isChanged &&
        queries.map((each) => (
          <p key={each}>
            Searched for <q className="text-ink">{each}</q>
          </p>
        ))}
      {question === undefined && <p>{rounds ? "Chosen by the model." : METHODS[method]}</p>}
      {corrections.map(({ from, to }) => (
        <p key={from}>
          <q>{from}</q> was searched as <q className="text-ink">{to}</q>
        </p>
      ))}
      {notices.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
      {closest.length > 0 && (
        <p>No passage reached the minimum similarity. The closest, which the model didn’t read:</p>
      )}
      {closest.map(({ chunk_id, title, similarity }) => (
        <p key={chunk_id}>
          <q className="text-ink">{title}</q> {similarity.toFixed(2)}
        </p>
      ))}
    </div>
  );
}
