import { appendFileSync } from "node:fs";
import path from "node:path";

/** Notes each test that passed only when it was run again, and why it failed before; `npm test` lists them at its end. */
export default class FlakyReporter {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky && process.env.FOOTNOTE_REPORT_DIR) {
      const file = path.join(process.env.FOOTNOTE_REPORT_DIR, "flaky.txt");
      const name = `${test.module.relativeModuleId ?? test.module.moduleId} > ${test.fullName}`;
      const [error] = test.result().errors ?? [];
      const [reason = "unknown"] = (error?.message ?? "").split("\n");
      appendFileSync(file, `${name}: ${reason}\n`);
    }
  }
}
