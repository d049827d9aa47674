import { addressesRelation, isAboutSubject, meetsConstraints } from "@/lib/evidence/questions/fit";
import { readPassage } from "@/lib/evidence/questions/passage";
import { readQuestion } from "@/lib/evidence/questions/question";

/** How a passage with a title fits a question. */
export function fitOf(question: string, title: string, text: string) {
  const asked = readQuestion(question);
  const passage = readPassage({ title, text });
  return {
    subject: isAboutSubject(asked, passage),
    relation: addressesRelation(asked, passage),
    constraints: meetsConstraints(asked, passage),
  };
}
