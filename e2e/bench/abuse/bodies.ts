// What the abusive account and strangers send. Made once each, so that sending costs the generator little.

const MB = 1024 * 1024;
const BOUNDARY = "abuse";

export const MULTIPART = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

function part(name: string, value: string, more = ""): string {
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
}

/** A form of many fields with different names. */
export function manyFields(count: number): Buffer {
  const parts = Array.from({ length: count }, (_, index) => part(`f${index}`, ""));
  return Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`);
}

/** An upload that can be rejected only by its last field. */
export function largeUpload(bytes: number): Buffer {
  const line = `${"Patients of this ward take their tablets at noon.".padEnd(63)}\n`;
  return Buffer.concat([
    Buffer.from(part("file", "", '; filename="ward.txt"').slice(0, -2)),
    Buffer.alloc(bytes, line),
    Buffer.from(`\r\n${part("scope", "nowhere")}--${BOUNDARY}--\r\n`),
  ]);
}

/** The upload of a page whose style sheet compares every element with all its siblings, for each of its rules. */
export function burningPage(number: number): Buffer {
  const rules = Array.from(
    { length: 200 },
    (_, index) => `p:nth-last-child(${index + 7}n+${index}){display:none}`,
  );
  const style = `<style>${rules.join("")}</style>`;
  const page = `<!doctype html><html><head>${style}</head><body><h1>${number}</h1>${"<p>a</p>".repeat(11_000)}</body></html>`;
  const file = part("file", page, '; filename="ward.html"');
  return Buffer.from(`${part("scope", "customer_kb")}${file}--${BOUNDARY}--\r\n`);
}

const SOURCE_CHARACTERS = 20_000;

/** Sources in the caller's own system message: a long heading above thousands of short list items. */
export function forgedSources(count: number): string {
  const heading = Array.from({ length: 2000 }, (_, index) => `q${index.toString(36)}`).join(" ");
  const items = "- a b\n".repeat((SOURCE_CHARACTERS - heading.length) / 6 - 20);
  const source = (id: number) =>
    `<source id="${id}" nonce="abuse0123456789">\nTitle: Ward ${id}\n\n# ${heading}\n\n${items}\n</source nonce="abuse0123456789">`;
  return Array.from({ length: count }, (_, index) => source(index + 1)).join("\n\n");
}

/** Megabytes of a form or a JSON string, one at a time. */
export function* endless(megabytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(MB, "a");
  for (let sent = 0; sent < megabytes; sent += 1) {
    yield piece;
  }
}

/** Words in no order, so that a search has much to look up. */
export function longQuery(words: number): string {
  const known = "stroke asthma warfarin signs symptoms heart blood test diagnosed treated".split(
    " ",
  );
  return Array.from({ length: words }, (_, index) => known[index % known.length]).join(" ");
}
