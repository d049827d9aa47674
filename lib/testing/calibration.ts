import type { Calibration } from "@/lib/library/documents/calibration";
import { forgetCalibration } from "@/lib/library/documents/read/calibration";
import { execute } from "@/lib/platform/db/client";

/** That of `fakeVector` with some dimensions: unrelated texts have cosines around 0. */
export async function setCalibration(
  space: string,
  { mean = 0, deviation = 0.18, separation = 5 }: Partial<Calibration> = {},
): Promise<void> {
  await execute(
    `INSERT INTO vector_space (space, mean, deviation, separation, passages) VALUES ($1, $2, $3, $4, 0)
     ON CONFLICT (space) DO UPDATE SET mean = $2, deviation = $3, separation = $4`,
    [space, mean, deviation, separation],
  );
  forgetCalibration(space);
}
