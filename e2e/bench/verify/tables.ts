import { createHash } from "node:crypto";
import { analyzePassage } from "@/lib/evidence/verdict/analyze-passage";
import { judgeAnalyzed } from "@/lib/evidence/verdict/judge";
import type { Verdict } from "@/lib/evidence/verdict/judged";
import { headerOf, joinCells } from "@/lib/text/tables";
import { Random } from "../search/random";
import { countVerdict, type Row } from "./corruption";
import type { Half } from "./pairs";
import lists from "./subjects.json" with { type: "json" };

/** A kind of table: its columns, how a value of each is written, and a sentence about one of them. */
interface Kind {
  caption: string;
  columns: readonly [string, ...string[]];
  valueOf: (random: Random) => string;
  claims: readonly ((subject: string, column: string, value: string) => string)[];
}

type See = (judged: { what: string; claim: string; passage: string; verdict: Verdict }) => void;

const DOSES = [5, 10, 20, 25, 40, 50, 75, 80, 100, 150, 200, 250, 400, 500, 800] as const;
const dose = (random: Random) => `${random.pick(DOSES)} mg`;
const share = (random: Random) => `${random.within(1, 99)}.${random.below(10)}%`;
const days = (random: Random) => `${random.within(2, 28)} days`;
const count = (random: Random) => `${random.within(12, 960)}`;

const KINDS: Record<Half, readonly Kind[]> = {
  tuned: [
    {
      caption: "Doses in adults.",
      columns: ["Drug", "Morning", "Noon", "Evening"],
      valueOf: dose,
      claims: [
        (subject, column, value) => `${subject} is given as ${value} in the ${column}.`,
        (subject, column, value) => `Take ${value} of ${subject} in the ${column}.`,
      ],
    },
    {
      caption: "Adverse events by drug.",
      columns: ["Drug", "Nausea", "Headache", "Dizziness"],
      valueOf: share,
      claims: [
        (subject, column, value) => `${column} occurred in ${value} of patients on ${subject}.`,
        (subject, column, value) => `With ${subject}, ${value} of patients had ${column}.`,
      ],
    },
  ],
  reported: [
    {
      caption: "Recommended doses.",
      columns: ["Medicine", "Starting dose", "Maintenance dose", "Maximum daily dose"],
      valueOf: dose,
      claims: [
        (subject, column, value) => `The ${column} of ${subject} is ${value}.`,
        (subject, column, value) => `For ${subject}, the table gives a ${column} of ${value}.`,
      ],
    },
    {
      caption: "How long each treatment lasts.",
      columns: ["Medicine", "Children", "Adults", "Pregnant women"],
      valueOf: days,
      claims: [
        (subject, column, value) => `${column} are treated with ${subject} for ${value}.`,
        (subject, column, value) => `Treatment with ${subject} lasts ${value} in ${column}.`,
      ],
    },
    {
      caption: "Enrollment by medicine and year.",
      columns: ["Medicine", "Placebo", "Low dose", "High dose"],
      valueOf: count,
      claims: [
        (subject, column, value) => `${subject} was tested with ${value} patients on ${column}.`,
      ],
    },
  ],
};
const TABLES = 400;
const ROWS = 5;
/** One in so many cells is empty. */
const EMPTY = 6;

/** Judges sentences about one cell of a table, true and with another cell's value, of the same column or the same row. */
export function measureTables(half: Half, see: See = () => undefined): Row[] {
  const rows = new Map<string, Row>();
  for (let at = 0; at < TABLES; at += 1) {
    const [byte = 0] = createHash("sha256").update(`table ${at}`).digest();
    if ((byte % 2 === 0 ? "tuned" : "reported") === half) {
      judgeTable(new Random(at, 7), half, ({ what, claim, passage, verdict }) => {
        countVerdict(rows, what, "plain", verdict);
        see({ what, claim, passage, verdict });
      });
    }
  }
  return [...rows.values()];
}

function judgeTable(random: Random, half: Half, see: See): void {
  const kind = random.pick(KINDS[half]);
  const subjects = random.shuffle(lists.drug.split(", ")).slice(0, ROWS);
  const cells = subjects.map((subject) => [
    capitalized(subject),
    ...kind.columns.slice(1).map(() => (random.below(EMPTY) === 0 ? "" : kind.valueOf(random))),
  ]);
  const passage = [
    kind.caption,
    "",
    headerOf(joinCells(kind.columns)),
    ...cells.map((row) => `| ${joinCells(row)} |`),
  ].join("\n");
  const analyzed = analyzePassage(passage);
  for (const [what, said] of claimsOf(cells, random)) {
    const column = kind.columns[said.column] ?? "";
    const write = random.pick(kind.claims);
    const claim = capitalized(write(said.subject, column.toLowerCase(), said.value));
    see({ what, claim, passage, verdict: judgeAnalyzed(claim, analyzed).verdict });
  }
}

interface Said {
  subject: string;
  column: number;
  value: string;
}

/** What is said about a cell: its own value, that of the row below, of another row, and of another column. */
function claimsOf(cells: readonly string[][], random: Random): [string, Said][] {
  const at = random.below(cells.length - 1);
  const column = random.within(1, (cells[0]?.length ?? 2) - 1);
  const row = cells[at] ?? [];
  const [subject = "", value = ""] = [row[0], row[column]];
  const others = {
    "a table's cell": value,
    "the next row's value": cells[at + 1]?.[column] ?? "",
    "another row's value": cells[(at + 2) % cells.length]?.[column] ?? "",
    "another column's value": row[(column % (row.length - 1)) + 1] ?? "",
  };
  return Object.entries(others).flatMap(([what, other]): [string, Said][] => {
    const isTrue = what === "a table's cell";
    const isOther = other !== "" && (isTrue || other !== value);
    return isOther ? [[what, { subject, column, value: other }]] : [];
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
