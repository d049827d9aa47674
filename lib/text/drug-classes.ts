import drugClasses from "./drug-classes.json" with { type: "json" };

/** The names of each drug's class: "ACE inhibitor" for lisinopril. */
export const CLASS_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  drugClasses.flatMap(({ names, members }) => members.map((member) => [member, names] as const)),
);
