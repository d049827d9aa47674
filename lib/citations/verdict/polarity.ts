import type { SentenceAnalysis } from "./analyze-sentence";
import type { ContentTerm, Direction } from "./words";

export type PolarityConflict = "negation" | "direction";

const LIGHT = 0.5;
const NEIGHBOURS = 4;
/** More denials than this in one claim are no prose; the near-verbatim check still counts them. */
const MOST_CUES = 40;

/**
 * Whether a claim denies what the readings say, or says the opposite way of a change. `repeated`: the sentences
 * that the claim repeats nearly whole, so that each denial and direction of them must be there.
 */
export function polarityConflict(
  claim: SentenceAnalysis,
  readings: readonly SentenceAnalysis[],
  repeated: readonly SentenceAnalysis[],
): PolarityConflict | null {
  if (repeated.some((reading) => isSameWording(claim, reading))) {
    return null;
  }
  const cues = repeated.reduce((sum, reading) => sum + reading.cues.length, 0);
  if (repeated.length > 0 && cues !== claim.cues.length) {
    return "negation";
  }
  if (turnsRound(claim, repeated)) {
    return "direction";
  }
  const denies = (reading: SentenceAnalysis) => contradictsCues(reading, [claim]);
  if (deniesAlone(claim, readings) || readings.some(denies) || contradictsCues(claim, readings)) {
    return "negation";
  }
  return opposes(claim, readings) ? "direction" : null;
}

/** Whether all content words stand in one order and are denied alike. */
function isSameWording(claim: SentenceAnalysis, reading: SentenceAnalysis): boolean {
  return (
    claim.cues.length === reading.cues.length &&
    claim.items.length === reading.items.length &&
    claim.items.every((item, at) => {
      const other = reading.items[at];
      return item.stem === other?.stem && item.isDenied === other.isDenied;
    })
  );
}

/** Whether a claim denies something where nothing is denied, fails, is missing or goes down. */
function deniesAlone(claim: SentenceAnalysis, readings: readonly SentenceAnalysis[]): boolean {
  const isNegative = ({ cues, items }: SentenceAnalysis) =>
    cues.length > 0 || items.some(({ direction }) => direction !== null && direction.sign < 0);
  return claim.cues.some(({ isLoose }) => !isLoose) && !readings.some(isNegative);
}

/** Whether the first reading denies what the others say, of the same things, without denial. */
function contradictsCues(denier: SentenceAnalysis, sayers: readonly SentenceAnalysis[]): boolean {
  return denier.cues
    .filter(({ isLoose }) => !isLoose)
    .slice(0, MOST_CUES)
    .some(({ heads }) => {
      const telling = heads.filter((head) => (denier.items[head]?.word.weight ?? 0) >= LIGHT);
      return isSaidPlainly(denier, telling.length > 0 ? telling : heads, sayers);
    });
}

function isSaidPlainly(
  denier: SentenceAnalysis,
  heads: readonly number[],
  sayers: readonly SentenceAnalysis[],
): boolean {
  let [denied, plain] = [-1, -1];
  for (const sayer of sayers) {
    for (const [index, item] of sayer.items.entries()) {
      const head = heads.find((one) => isSame(denier.items[one], item));
      if (head === undefined) {
        continue;
      }
      const shared = countShared({ reading: denier, at: head }, { reading: sayer, at: index });
      if (item.isDenied || sayer.cues.some(({ reach }) => reach.includes(index))) {
        denied = Math.max(denied, shared);
      } else {
        plain = Math.max(plain, shared);
      }
    }
  }
  return plain > Math.max(0, denied);
}

interface Spot {
  reading: SentenceAnalysis;
  at: number;
}

/** How many of the telling words around one item stand around another one too. */
function countShared(one: Spot, other: Spot): number {
  const around = neighbours(one.reading, one.at).filter(
    (item) => item.word.weight >= LIGHT && item !== one.reading.items[one.at],
  );
  const near = neighbours(other.reading, other.at).filter(
    (item) => item !== other.reading.items[other.at],
  );
  return around.filter((item) => near.some((two) => isSame(item, two))).length;
}

/** Whether two items speak of one thing: by stem, root, synonym or direction. */
function isSame(one: ContentTerm | undefined, other: ContentTerm): boolean {
  return one?.stem === other.stem || Boolean(one?.keys.some((key) => other.keys.includes(key)));
}

function opposes(claim: SentenceAnalysis, readings: readonly SentenceAnalysis[]): boolean {
  return claim.items.some(
    ({ direction }, at) => direction !== null && opposesAt({ reading: claim, at }, readings),
  );
}

/** The same word weighs half as much as one neighbour in common right beside it. */
const SAME_WORD = 0.5;
/** Words that have less in common around them may speak of two things. */
const LEAST_NEARNESS = 0.2;

/** Whether the nearest word of the same axis, told by what stands around it, goes the other way. */
function opposesAt(place: Spot, readings: readonly SentenceAnalysis[]): boolean {
  const item = place.reading.items[place.at];
  const axis = item?.direction?.axis;
  if (!item || !axis) {
    return false;
  }
  const others = readings.flatMap((reading) =>
    reading.items.flatMap((other, at) => {
      if (other.direction?.axis !== axis) {
        return [];
      }
      const shared = nearness(place, { reading, at });
      const bonus = shared > 0 && other.stem === item.stem ? SAME_WORD : 0;
      return [{ score: shared + bonus, agrees: signOf(item) === signOf(other) }];
    }),
  );
  const best = others.reduce((most, { score }) => Math.max(most, score), 0);
  return best > LEAST_NEARNESS && !others.some(({ score, agrees }) => agrees && score === best);
}

/** How much what stands around one item stands around the other, the nearer to both the more. */
function nearness(one: Spot, other: Spot): number {
  let sum = 0;
  for (let own = one.at - NEIGHBOURS; own <= one.at + NEIGHBOURS; own += 1) {
    const item = one.reading.items[own];
    if (!item || own === one.at || item.direction || item.word.weight < LIGHT) {
      continue;
    }
    const distance = distanceTo(item, other);
    sum += distance === null ? 0 : 1 / (distance * Math.abs(own - one.at));
  }
  return sum;
}

/** How many items away from a place the nearest one of the same meaning stands; null for too far. */
function distanceTo(item: ContentTerm, { reading, at }: Spot): number | null {
  for (let distance = 1; distance <= NEIGHBOURS; distance += 1) {
    const around = [reading.items[at - distance], reading.items[at + distance]];
    if (around.some((one) => one && isSame(one, item))) {
      return distance;
    }
  }
  return null;
}

function neighbours({ items }: SentenceAnalysis, at: number): ContentTerm[] {
  return items.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1);
}

function signOf({ direction, isDenied }: ContentTerm): number {
  return (direction?.sign ?? 0) * (isDenied ? -1 : 1);
}

/** Whether a word of a repeated sentence was turned into its opposite: one more of a side, one fewer of the other. */
function turnsRound(claim: SentenceAnalysis, repeated: readonly SentenceAnalysis[]): boolean {
  const balance = new Map<string, number>();
  const count = (items: readonly ContentTerm[], step: number) => {
    for (const { direction } of items) {
      if (direction) {
        const side = sideOf(direction);
        balance.set(side, (balance.get(side) ?? 0) + step);
      }
    }
  };
  count(claim.items, 1);
  repeated.forEach(({ items }) => {
    count(items, -1);
  });
  return (
    repeated.length > 0 &&
    [...balance].some(([side, more]) => {
      const opposite = side.startsWith("-") ? side.slice(1) : `-${side}`;
      return more > 0 && (balance.get(opposite) ?? 0) < 0;
    })
  );
}

/** More of a thing, driving it and making it better are one side where words are exchanged. */
const LIKE_AMOUNT = new Set(["amount", "drive", "quality"]);

function sideOf({ axis, sign }: Direction): string {
  return `${sign < 0 ? "-" : ""}${LIKE_AMOUNT.has(axis) ? "amount" : axis}`;
}
