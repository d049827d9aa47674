import * as z from "zod";
import { PLAYGROUND_PRESETS } from "@/lib/keys/playground";
import { SearchRequest } from "./schema";

/** A search from the console, and the pair of knowledge bases that the key it is asked with may read. */
export const ConsoleSearch = SearchRequest.extend({ preset: z.enum(PLAYGROUND_PRESETS) });
export type ConsoleSearch = z.input<typeof ConsoleSearch>;
