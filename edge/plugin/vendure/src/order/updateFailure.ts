/** The shop did not take a change; it is tried again with the next webhook. */
export class UpdateFailure extends Error {}
