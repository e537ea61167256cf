/** Size and seed of the run that a test is part of, as `npm test` names them. */

/** Whether this is a run at the full size, which `npm run test:full` asks for. */
export const IS_FULL: boolean = process.env["SVC_TEST_SIZE"] === "full";

/** The seed of a random test: `SVC_SEED`, or its usual one, with which it is the same every time. The test prints it. */
export function testSeed(usual: number): number {
  return Number(process.env["SVC_SEED"] ?? usual);
}
