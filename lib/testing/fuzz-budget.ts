/** How many times the CI budget: 1 unless `npm run fuzz`, the long form, asks for more. */
export const FUZZ_FACTOR = Number(process.env.FOOTNOTE_FUZZ_FACTOR ?? 1);
