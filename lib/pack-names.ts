/** The folders of knowledge/ that are packs. */
export const PACKS = ["medical"] as const;
export type Pack = (typeof PACKS)[number];
