import * as z from "zod";
import { PLAYGROUND_PRESETS } from "@/lib/keys/playground";
import { SearchRequest } from "./schema";

/** A search from the console, with the preset that selects its key. */
export const ConsoleSearch = SearchRequest.extend({ preset: z.enum(PLAYGROUND_PRESETS) });
export type ConsoleSearch = z.input<typeof ConsoleSearch>;
