import { expect, test } from "vitest";
import { answerFrom } from "./answer";

const SOURCES = [
  {
    number: 1,
    title: "Ward handbook › Visiting hours",
    text: "Visitors are welcome from 14:00 to 19:00.",
  },
  {
    number: 2,
    title: "Ward handbook",
    text: "## Night shift\n\nIt begins at 21:30 with a handover at the desk.",
  },
  { number: 3, title: "Parking › Visiting hours", text: "The garage opens at 06:00." },
];

function ask(question: string): string {
  return answerFrom(SOURCES, { question, dependsOnConversation: false });
}

test("quotes the part of a document that a question names, whatever words it uses", () => {
  expect(ask("What does “Ward handbook” say about visiting hours?")).toBe(
    "Visitors are welcome from 14:00 to 19:00 [1].",
  );
  expect(ask("What does “Ward handbook” say about night shift?")).toBe(
    "It begins at 21:30 with a handover at the desk [2].",
  );
  expect(ask("What does “Ward handbook” say?")).toContain("[1]");
});

test("quotes nothing for a part that the document doesn't have", () => {
  expect(ask("What does “Ward handbook” say about parking?")).toMatch(/do not answer|not answer/);
});
