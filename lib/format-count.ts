/** Such as "1 passage" or "1,204 passages". `many`: the plural, where it isn't formed with an s. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
