import type { Gate } from "./route";

/** The gate that lets everybody in, as nobody in particular. */
export const publicGate: Gate<undefined> = async () => ({ ctx: undefined });
