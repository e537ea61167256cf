import { expect, test } from "vitest";
import { birthdayText } from "./birthdayText.ts";

test("a birthday reads as the restore form takes it, in every time zone", () => {
  expect(birthdayText({ day: 0 })).toBe("1970-01-01");
  expect(birthdayText({ day: 20_785 })).toBe("2026-11-28");
  expect(birthdayText("genesis")).toMatch(/from the beginning/);
});
