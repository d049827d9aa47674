import { formatDays } from "./labels";
import { Section } from "./section";

/** How many days each kind is kept; 0: for ever. */
export interface Retention {
  usageDays: number;
  answerDays: number;
  activityDays: number;
}

/** What is kept for how long, as the operator has set it. */
export function RetentionSection({ retention }: { retention: Retention }) {
  const rows = [
    ["Messages and answers", "Not kept, unless a request says so with store: true."],
    ["Stored answers, with their evidence", formatRetention(retention.answerDays)],
    ["Documents", "Until you delete them."],
    ["Usage records: counts, costs, source ids; no text", formatRetention(retention.usageDays)],
    ["Activity: who did what, and to which key or member", formatRetention(retention.activityDays)],
    ["Ledger and payments", "For ever: they are financial records."],
  ];
  return (
    <Section title="Data retention" description="Set by whoever runs this server.">
      <dl className="divide-y">
        {rows.map(([what, kept]) => (
          <div key={what} className="grid gap-x-4 gap-y-0.5 p-4 sm:grid-cols-2 sm:px-5">
            <dt className="text-muted">{what}</dt>
            <dd>{kept}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function formatRetention(days: number): string {
  return days === 0 ? "Kept for ever." : `Deleted after ${formatDays(days)}.`;
}
