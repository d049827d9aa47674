import type { Gate } from "./route";

/** The gate that lets everybody in, as nobody in particular. */
export const anyone: Gate<undefined> = async () => ({ ctx: undefined });
