// node --import ./lib/testing/shifted-clock.mjs: starts this process, and the Node processes it starts, at the instant
// that FOOTNOTE_CLOCK names. From there time passes as usual. For tests only: the product knows nothing of it, and the
// embedded database, which asks JavaScript for the time, follows it.
const start = Date.parse(process.env.FOOTNOTE_CLOCK ?? "");
if (Number.isNaN(start)) {
  throw new Error("FOOTNOTE_CLOCK must be an instant such as 2028-02-29T12:00:00Z.");
}
const RealDate = Date;
const offset = start - RealDate.now();
const now = () => RealDate.now() + offset;

// A proxy, not a subclass: dates that come from native code are instances of the same class.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
RealDate.prototype.constructor = globalThis.Date;
