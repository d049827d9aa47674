// node --import ./lib/testing/shifted-clock.mjs: starts this process at the instant that FOOTNOTE_CLOCK names; its threads
// and the Node processes it starts have the same clock. From there time passes as usual. For tests only: the product knows
// nothing of it, and the embedded database, which asks JavaScript for the time, follows it.
const start = Date.parse(process.env.FOOTNOTE_CLOCK ?? "");
if (Number.isNaN(start)) {
  throw new Error("FOOTNOTE_CLOCK must be an instant such as 2028-02-29T12:00:00Z.");
}
const RealDate = Date;
// Kept for threads and processes that this one starts.
process.env.FOOTNOTE_CLOCK_OFFSET ??= start - RealDate.now();
const offset = Number(process.env.FOOTNOTE_CLOCK_OFFSET);
const now = () => RealDate.now() + offset;

// A proxy, not a subclass: dates that come from native code are instances of the same class.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
RealDate.prototype.constructor = globalThis.Date;
