import { type Needle, weigh } from "./needles";
import type { Question } from "./question";
import type { Finding, Scored } from "./score";

/** The share of the question's weight, and of its subject's, that an answer and its context must speak of. */
const LEAST = { coverage: 0.45, subject: 0.58 };
/** "What is X?" is all subject, and half a name names something else. */
const LEAST_DEFINED = { coverage: 0.45, subject: 0.72 };
/** Of two things to compare a sentence may speak of one. */
const LEAST_COMPARED = { coverage: 0.35, subject: 0.35 };
/** From here on, speaking of the subject makes up for not naming what is asked of it. */
const FULL_SUBJECT = 0.8;

/** Whether a candidate answers the question at all. */
export function isAnswer(scored: Scored, question: Question): boolean {
  const { findings } = scored;
  const subject = findings.filter(({ needle }) => needle.isSubject);
  const least = leastOf(question);
  return (
    hasTopic(question, subject) &&
    coverageOf(findings.filter(({ needle }) => !needle.isAside)) >= least.coverage &&
    coverageOf(subject) >= least.subject &&
    staysOnTopic(findings) &&
    (isApt(scored, question) ||
      (question.aspects.every(({ isLoose }) => isLoose) && isTelling(subject)))
  );
}

/** "How do I start?" could be about anything. */
function hasTopic({ aspects, anchors }: Question, subject: readonly Finding[]): boolean {
  return subject.length > 0 || aspects.length > 0 || anchors.size > 0;
}

function leastOf({ wantsDefinition, compares, aspects }: Question): typeof LEAST {
  if (compares) {
    return LEAST_COMPARED;
  }
  return wantsDefinition && aspects.length === 0 ? LEAST_DEFINED : LEAST;
}

/** Whether its title and headings alone speak of the whole subject, so that its whole section answers. */
export function isBroad({ findings }: Scored): boolean {
  return findings.every(
    ({ needle, context, title }) => !needle.isSubject || context > 0 || title > 0,
  );
}

/** The needles of the subject that a candidate or its context speaks of. */
export function needleSubject({ findings }: Scored): Needle[] {
  return findings
    .filter((finding) => finding.needle.isSubject && isFound(finding))
    .map(({ needle }) => needle);
}

function coverageOf(findings: readonly Finding[]): number {
  const covered = findings.reduce(
    (sum, { needle, own, context, title }) => sum + needle.weight * Math.max(own, context, title),
    0,
  );
  return findings.length === 0 ? 1 : covered / weigh(findings.map(({ needle }) => needle));
}

function isFound({ own, context, title }: Finding): boolean {
  return Math.max(own, context, title) > 0;
}

function staysOnTopic(findings: readonly Finding[]): boolean {
  const anchors = findings.filter(({ needle }) => needle.isAnchor);
  const isAnchored = anchors.length === 0 || anchors.some(isFound);
  return isAnchored && findings.every((finding) => !finding.needle.isBound || isFound(finding));
}

/** Whether it tells one of the things that are asked of the subject. */
function isApt({ isHeaded, candidate }: Scored, { aspects }: Question): boolean {
  return (
    isHeaded ||
    aspects.length === 0 ||
    aspects.some(({ stems }) => [...stems].some((stem) => candidate.own.has(stem)))
  );
}

/** Whether title or heading speak of the subject, and its own words of the rest of it. */
function isTelling(subject: readonly Finding[]): boolean {
  const isPlaced = subject.some(({ context, title }) => context > 0 || title > 0);
  const speaks = subject.some(({ own, title }) => own > 0 && title === 0);
  return (
    isPlaced && speaks && subject.filter(isFound).length > 1 && coverageOf(subject) >= FULL_SUBJECT
  );
}
