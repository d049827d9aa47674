/**
 * One call of `work` at a time: what is handed in meanwhile waits, and goes together into the next call.
 * All of one call share its outcome, a failure too.
 */
export function inTurns<Item, Result>(
  work: (items: Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: { items: Item[]; result: Promise<Result> } | null = null;
  return (item) => {
    if (next) {
      next.items.push(item);
      return next.result;
    }
    const items = [item];
    const result = running.then(() => {
      next = null;
      return work(items);
    });
    next = { items, result };
    running = result.catch(() => {});
    return result;
  };
}
