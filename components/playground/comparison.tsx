import { cn } from "@/lib/cn";
import { compareRuns } from "./compare";
import { isWaiting, type Turn } from "./conversation";

/** What differs between two answers to a question; nothing before both have ended. */
export function Comparison({ turn }: { turn: Turn }) {
  if (!turn.rival || isWaiting(turn)) {
    return null;
  }
  return (
    <div className="overflow-x-auto rounded-md border bg-surface">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">Comparison of A and B</caption>
        <thead>
          <tr className="border-b text-muted text-xs">
            <th scope="col" className="w-1/3 px-3 py-1.5 font-medium">
              Compared
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              A
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              B
            </th>
          </tr>
        </thead>
        <tbody>
          {compareRuns(turn, turn.rival).map(({ name, isField, main, rival }) => (
            <tr key={name} className="border-b align-top last:border-b-0">
              <th
                scope="row"
                className={cn(
                  "px-3 py-1.5 font-normal text-muted",
                  isField && "font-mono text-xs leading-5",
                )}
              >
                {name}
              </th>
              {[main, rival].map((value, index) => (
                <td
                  key={index === 0 ? "main" : "rival"}
                  className={cn(
                    "px-3 py-1.5 tabular-nums break-words",
                    main === rival && "text-muted",
                  )}
                >
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
