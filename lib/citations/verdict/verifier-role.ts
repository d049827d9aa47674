/** How the instructions of every verifier begin. */
export const VERIFIER_ROLE = "You check the citations of an answer.";
