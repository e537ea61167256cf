/** What fields of the wallet API must be that it refuses with a sentence of their own (`apiError.ts`). */
export const FIELD_FORMS = {
  anAmount: "given as amount_sompi or amount_fc",
  withFee: "small enough to fit 64 bits with the fee",
  notEmpty: "a list that is not empty",
  signature: "64 bytes of hex",
} as const;
