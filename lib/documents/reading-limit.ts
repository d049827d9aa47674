import { consume } from "@/lib/http/rate-limit";

/** Far more than a person opens, but a crawler has to slow down. */
const SOURCES_PER_MINUTE = 120;

/** Counts a public source page that an address opens; true if it opened too many within a minute. */
export async function isReadingTooFast(address: string): Promise<boolean> {
  return (await consume(`source:${address}`, 1, SOURCES_PER_MINUTE)).isExceeded;
}
