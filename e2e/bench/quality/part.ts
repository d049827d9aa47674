/** A line of the quality table. */
export interface Row {
  /** The questions asked, such as "MEDIQA with a typo a question". */
  set: string;
  measure: string;
  /** A share from 0 to 1, a score, or a count. */
  value: number;
  goal?: string;
}

/**
 * Measures some sets. `folder` is the judged data; rows come in the order they are printed. A process opens only one
 * embedded database, so a part with a corpus of its own measures it through `withServer` or another process.
 */
export type Part = (folder: string) => Promise<Row[]>;
