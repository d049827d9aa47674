import type { PlacedMarker } from "@/lib/evidence/markers/output-buffer";
import { CodePoints, countLeading } from "@/lib/text/code-points";
import type { CitationsOptions, CitedSource } from "./schema";
import type { VerifiedAnswer } from "./verification";

/** A source as a reader sees it. */
export interface ShownSource {
  id: number;
  title: string;
  url: string;
}

type RenderOptions = Pick<CitationsOptions, "render" | "numbering">;

/** Whether the text that goes out differs from the normalized one, with its `[n]` in the order of the sources. */
export function isRendered({ render, numbering }: RenderOptions): boolean {
  return render !== "markers" || numbering !== "source";
}

/**
 * Writes the markers of a normalized answer as links or footnotes, and numbers them by appearance if asked to. Works
 * piece by piece: markers come whole, so nothing is held back.
 */
export class MarkerRenderer {
  /** UTF-16 units and code points of the normalized text so far, and the number of its markers. */
  #read = { units: 0, points: 0, markers: 0 };
  readonly #shifts: { end: number; total: number }[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #shown: ReadonlyMap<number, ShownSource>;

  constructor(
    sources: readonly ShownSource[],
    private readonly options: RenderOptions,
  ) {
    this.#shown = new Map(sources.map((source) => [source.id, source]));
  }

  /** `markers` are all markers so far, as UTF-16 offsets into the normalized text. */
  write(text: string, markers: readonly PlacedMarker[]): string {
    const { units } = this.#read;
    let output = "";
    let at = 0;
    let marker = markers[this.#read.markers];
    while (marker && marker.end <= units + text.length) {
      output += this.#copy(text.slice(at, marker.start - units));
      output += this.#render(marker);
      at = marker.end - units;
      this.#read.markers += 1;
      marker = markers[this.#read.markers];
    }
    output += this.#copy(text.slice(at));
    this.#read.units = units + text.length;
    return output;
  }

  /** What follows the answer: the footnotes of the sources it cites. */
  end(): string {
    if (this.options.render !== "footnotes" || this.#numbers.size === 0) {
      return "";
    }
    const notes = [...this.#numbers].toSorted(([, one], [, other]) => one - other);
    return `\n\n${notes.map(([id, number]) => this.#footnote(id, number)).join("\n")}`;
  }

  /** The number of each source in the text; those that it doesn't cite come after. */
  numberOf(id: number): number {
    if (this.options.numbering === "source") {
      return id;
    }
    const rest = [...this.#shown.keys()].filter((each) => !this.#numbers.has(each));
    return this.#numbers.get(id) ?? this.#numbers.size + rest.indexOf(id) + 1;
  }

  /** The same findings with the positions, numbers, titles and links of the rendered text. */
  place({ annotations, verification, citedIds }: VerifiedAnswer): VerifiedAnswer {
    const number = (id: number) => this.numberOf(id);
    const range = <R extends { start_index: number; end_index: number }>(place: R): R => ({
      ...place,
      start_index: this.#toRendered(place.start_index),
      end_index: this.#toRendered(place.end_index),
    });
    return {
      citedIds: new Set([...citedIds].map(number)),
      annotations: annotations.map(({ type, url_citation: cited }) => {
        const { title, url } = this.#shown.get(cited.citation_id) ?? cited;
        const moved = { ...range(cited), title, url, citation_id: number(cited.citation_id) };
        return { type, url_citation: { ...moved, claim: range(cited.claim) } };
      }),
      verification: {
        ...verification,
        claims: verification.claims.map((claim) => ({
          ...range(claim),
          citation_ids: claim.citation_ids.map(number),
        })),
        stripped: verification.stripped.map(({ citation_id, claim }) => ({
          citation_id: number(citation_id),
          claim,
        })),
        disagreements: verification.disagreements.map(({ values, ...rest }) => ({
          ...rest,
          values: values.map((value) => ({ ...value, citation_id: number(value.citation_id) })),
        })),
      },
    };
  }

  #copy(text: string): string {
    this.#read.points += new CodePoints(text).toCodePoint(text.length);
    return text;
  }

  #render({ id, start, end }: PlacedMarker): string {
    const { numbering, render } = this.options;
    const number = this.#numbers.get(id) ?? (numbering === "source" ? id : this.#numbers.size + 1);
    this.#numbers.set(id, number);
    const url = this.#shown.get(id)?.url ?? "";
    const shown = {
      markers: `[${number}]`,
      links: `[[${number}]](${url})`,
      footnotes: `[^${number}]`,
    }[render];
    this.#read.points += end - start;
    const before = this.#shifts.at(-1)?.total ?? 0;
    // Markers, numbers and URLs are ASCII.
    this.#shifts.push({ end: this.#read.points, total: before + shown.length - (end - start) });
    return shown;
  }

  #footnote(id: number, number: number): string {
    const { title, url } = this.#shown.get(id) ?? { title: `Source ${number}`, url: "" };
    return `[^${number}]: [${escapeMarkdown(title)}](${url})`;
  }

  /** A position that isn't inside a marker. */
  #toRendered(position: number): number {
    const passed = countLeading(this.#shifts, ({ end }) => end <= position);
    return position + (this.#shifts[passed - 1]?.total ?? 0);
  }
}

/**
 * The sources as readers and clients tell them apart: each title and each URL occurs once. Open WebUI, for one, numbers the
 * distinct URLs of an answer's annotations.
 */
export function toShownSources(
  sources: readonly CitedSource[],
  linksOf: (source: CitedSource) => { url: string; passage: string },
): ShownSource[] {
  const links = sources.map(linksOf);
  const labels = distinct(
    sources.map(({ title }) => title),
    (index) => placeOf(sources[index]),
  );
  const titles = distinct(labels, (index) => String(sources[index]?.id));
  return sources.map(({ id }, index) => {
    const { url = "", passage = "" } = links[index] ?? {};
    const isOwn = URL.canParse(url) && links.filter((other) => other.url === url).length === 1;
    return { id, title: titles[index] ?? "", url: toTarget(isOwn ? url : passage) };
  });
}

/** Adds to each text that occurs more than once what tells it from the others, where that is known. */
function distinct(texts: readonly string[], detailOf: (index: number) => string): string[] {
  return texts.map((text, index) => {
    const isShared = texts.filter((other) => other === text).length > 1;
    const detail = isShared ? detailOf(index) : "";
    return detail === "" ? text : `${text} (${detail})`;
  });
}

function placeOf(source: CitedSource | undefined): string {
  const { section, page } = source?.metadata ?? {};
  if (typeof page === "number") {
    return `p. ${page}`;
  }
  if (typeof section !== "string" || section === source?.title) {
    return "";
  }
  // The first heading is often the title again.
  const prefix = `${source?.title} › `;
  return section.startsWith(prefix) ? section.slice(prefix.length) : section;
}

/** In ASCII, and without the parentheses that would end a link of Markdown. */
function toTarget(url: string): string {
  const { href } = new URL(url);
  return href.replaceAll("(", "%28").replaceAll(")", "%29");
}

function escapeMarkdown(title: string): string {
  return title.replace(/\s+/g, " ").replace(/[\\`*_[\]<>&]/g, "\\$&");
}
