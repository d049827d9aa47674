import { AppError } from "@/lib/errors";
import { consume } from "@/lib/platform/http/rate-limit";
import { clientAddress } from "@/lib/platform/http/request";
import type { Gate } from "@/lib/platform/http/route";

/** Far more than a person opens, but a crawler has to slow down. */
const SOURCES_PER_MINUTE = 120;
/** For all addresses together: drawing one takes 40 ms of the thread that serves every request. */
const CARDS_PER_MINUTE = 60;

/** Counts a public source page that an address opens; true if it opened too many within a minute. */
export async function isReadingTooFast(address: string): Promise<boolean> {
  return (await consume(`source:${address}`, 1, SOURCES_PER_MINUTE)).isExceeded;
}

/** Lets anyone read public sources, at that pace. */
export const sourceReader: Gate<undefined> = async (request) => {
  if (await isReadingTooFast(clientAddress(request.headers.get("x-forwarded-for")))) {
    throw new AppError(
      "rate_limit_exceeded",
      "Your network opened too many sources. Wait a minute.",
    );
  }
  return { ctx: undefined, headers: { "content-disposition": "inline" } };
};

/** Lets anyone get the pictures of quotes that previews of links show, at that pace. */
export const cardReader: Gate<undefined> = async (request, call) => {
  const entry = await sourceReader(request, call);
  if ((await consume("source-cards", 1, CARDS_PER_MINUTE)).isExceeded) {
    throw new AppError("rate_limit_exceeded", "Too many previews are being drawn. Wait a minute.");
  }
  return entry;
};
