/** A file that the build of the signer page puts into its script: deflated, in base64 (`web/build/signerPage.ts`). */
declare module "*?packed" {
  const text: string;
  export default text;
}
