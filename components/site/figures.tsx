import { SiteLink } from "./site-link";

/** When and on what the figures were measured. They stand in e2e/bench/README.md; a test compares. */
export const MEASURED = { short: "Nov 2026", date: "2026-11-30" };
/** The first of `WITHIN`. */
export const CAUGHT_NUMBERS = "99.7%";
/** In the tables of docs/clients.md. */
export const CLIENTS_TESTED = 11;

/** Of sentences as they are and reworded, as the benchmark lists them. */
export const CAUGHT = [
  { row: "another number", title: "Changed number", share: 100, caught: "100.0 / 100.0%" },
  { row: "another unit", title: "Changed unit", share: 99.8, caught: "99.8 / 100.0%" },
  { row: "another comparator", title: "Changed bound", share: 99.4, caught: "99.4 / 98.2%" },
  {
    row: "a negation added or removed",
    title: "Added or dropped “not”",
    share: 99.8,
    caught: "99.8 / 99.8%",
  },
  {
    row: "the opposite direction",
    title: "Opposite direction",
    share: 99.9,
    caught: "99.9 / 99.7%",
  },
];

/** Of false claims made from the passage itself: those that aren't `supported`. */
export const WITHIN = [
  {
    row: "false: another quantity of the passage",
    title: "Another number of the text",
    share: 99.7,
  },
  { row: "false: two quantities swapped", title: "Two numbers swapped", share: 99.7 },
  { row: "false: the other thing's number", title: "The other group’s number", share: 90 },
  { row: "false: association made a cause", title: "Association made a cause", share: 99.1 },
  { row: "false: hedge dropped", title: "Dropped “may” or “rarely”", share: 96.2 },
  { row: "false: condition dropped", title: "Dropped “if” or “unless”", share: 94.7 },
  { row: "false: population dropped", title: "Dropped “in children”", share: 93.6 },
];

/** Of claims in experts' own words. The last one is counted in the table of labels. */
export const RESTATED = [
  {
    row: "`supported` verdicts labeled support (goal: 0.80)",
    title: "Correct “supported” verdicts",
    share: 81,
  },
  {
    row: "`contradicted` verdicts labeled contradict (goal: 0.65)",
    title: "Correct “possibly contradicted” verdicts",
    share: 73,
  },
  { row: "contradict", title: "Contradictions flagged", share: 11 },
];

/** What the check catches and what it misses. */
export function Figures() {
  return (
    <section
      id="measured"
      aria-labelledby="measured-title"
      className="grid gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]"
    >
      <div className="grid content-start gap-4">
        <h2
          id="measured-title"
          className="text-balance font-medium font-serif text-4xl leading-[1.1] tracking-[-0.02em]"
        >
          Measured, misses included
        </h2>
        <p className="text-pretty text-[1.0625rem] text-muted leading-7">
          We changed one thing in thousands of sentences from medical texts, and checked each
          against its own text. The hardest errors borrow from that text: another patient’s dose, or
          a dropped “may”.
        </p>
        <p className="border-warning border-l-2 pl-4 text-pretty leading-6">
          Where an answer restates a finding in its own words, the rules miss most contradictions,
          and about a quarter of those they report are wrong. That’s why it says “possibly
          contradicted”, and why every citation carries the quote.
        </p>
        <p>
          <SiteLink href="/docs/benchmarks#verify">Method and all figures</SiteLink>
        </p>
      </div>
      <div className="grid content-start gap-8">
        <Bars
          caption={`Misplaced numbers and overstated claims: caught (MedQuAD and SciFact, ${MEASURED.date})`}
          rows={WITHIN.map(({ title, share }) => ({ title, share, value: `${share}%` }))}
          color="bg-success"
        />
        <Bars
          caption={`One thing changed: caught as written / reworded (SciFact, ${MEASURED.date})`}
          rows={CAUGHT.map(({ title, share, caught }) => ({ title, share, value: caught }))}
          color="bg-success"
        />
        <Bars
          caption={`Restated in experts’ own words (SciFact, ${MEASURED.date})`}
          rows={RESTATED.map(({ title, share }) => ({ title, share, value: `${share}%` }))}
          color="bg-warning"
        />
      </div>
    </section>
  );
}

interface BarsProps {
  caption: string;
  rows: readonly { title: string; share: number; value: string }[];
  color: string;
}

function Bars({ caption, rows, color }: BarsProps) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="pb-3 text-left text-muted text-xs">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Case</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, share, value }) => (
          <tr key={title} className="border-t">
            <th scope="row" className="w-[11rem] py-3 pr-4 font-normal sm:w-[16rem]">
              {title}
            </th>
            <td className="py-3">
              <span className="flex items-center gap-4">
                <span aria-hidden className="h-2 min-w-0 flex-1 rounded-full bg-sunken">
                  <span
                    className={`block h-full rounded-full ${color}`}
                    style={{ width: `${share}%` }}
                  />
                </span>
                <span className="w-28 shrink-0 text-right font-medium tabular-nums">{value}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
