/** Test helper: name and number of every message, in the order of the envelope's definition, whose text is given. */
export function messageNumbers(definition: string): (readonly [name: string, number: number])[] {
  return [...definition.matchAll(/^ {4}\w+ (\w+) = (\d+);$/gm)].map(([, name = "", number]) => [
    name,
    Number(number),
  ]);
}
