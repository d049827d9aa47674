import { BENIGN, type RedTeamDocument } from "./manifest";

/** A document with the codes that ingestion reported. */
interface Reported {
  document: RedTeamDocument;
  codes: readonly string[];
}

/** A Markdown table of expected and actual reports by technique, and the differences. */
export function tableOf(
  reported: readonly Reported[],
  sample: { articles: number; reported: number },
) {
  const techniques = [...new Set(reported.map(({ document }) => document.technique))];
  const rows = techniques.map((technique) =>
    rowOf(
      technique,
      reported.filter(({ document }) => document.technique === technique),
    ),
  );
  const attacks = reported.filter(({ document }) => document.technique !== BENIGN);
  return [
    "| technique | documents | with something to report | fully reported | false alarms |",
    "|---|---|---|---|---|",
    ...rows,
    rowOf("**all attacks**", attacks),
    `| articles of the public sample | ${sample.articles} | 0 | 0 | ${sample.reported} |`,
    "",
    "Missed, or reported by mistake:",
    "",
    ...reported.flatMap(differences),
  ].join("\n");
}

function rowOf(name: string, reported: readonly Reported[]): string {
  const concerned = reported.filter(({ document }) => document.should.length > 0);
  const found = concerned.filter((one) => missingIn(one).length === 0);
  const beyond = reported.filter((one) => beyondIn(one).length > 0);
  return `| ${[name, reported.length, concerned.length, found.length, beyond.length].join(" | ")} |`;
}

function differences(one: Reported): string[] {
  const { file, tries } = one.document;
  return [
    ...missingIn(one).map((code) => `- \`${file}\` (${tries}): no \`${code}\``),
    ...beyondIn(one).map((code) => `- \`${file}\` (${tries}): \`${code}\`, a false alarm`),
  ];
}

function missingIn({ document, codes }: Reported): string[] {
  return document.should.filter((code) => !codes.includes(code));
}

function beyondIn({ document, codes }: Reported): string[] {
  return codes.filter((code) => !document.should.some((known) => known === code));
}
