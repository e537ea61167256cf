/** Makes an answer of a server: a value as JSON, with a status. */
export const jsonAnswer = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status });
