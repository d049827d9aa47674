import { describe, expect, it } from "vitest";
import { asSentence } from "@/components/ui/field";
import { AppError } from "@/lib/errors";
import { fieldReason } from "./form-errors";

describe("fieldReason", () => {
  it.each([
    [
      "'name' is not valid: use at most 100 characters. Correct it and send the request again.",
      "Use at most 100 characters.",
    ],
    ["This name is taken. Choose another one.", "This name is taken. Choose another one."],
  ])("shows %j beside a field as %j", (message, shown) => {
    expect(asSentence(fieldReason(new AppError("invalid_request", message)))).toBe(shown);
  });
});
