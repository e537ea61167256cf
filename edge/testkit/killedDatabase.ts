/** Test helper: a database whose program is killed before a certain write. */

/** What a killed program sees. */
export class Killed extends Error {}

/** `writes`: how many batches and single writes reach the database before that. */
export function killedDatabase(db: D1Database, writes: number): D1Database {
  let left = writes;
  const count = (): void => {
    if (left === 0) throw new Killed("the program is killed");
    left -= 1;
  };
  return new Proxy(db, {
    get(target, name) {
      if (name === "batch") {
        return async (statements: D1PreparedStatement[]) => {
          count();
          return target.batch(statements);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
