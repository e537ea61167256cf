/** Component: a table with a caption and column headings; the first cell of a row names it. */
import { For, Index, type Accessor, type JSX } from "solid-js";

/** A column. */
export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Accessor<Row>) => JSX.Element;
  /** Left out on narrow screens; the page of the row shows it, too. */
  readonly isWide?: boolean;
  readonly isNumber?: boolean;
};

/**
 * The table. `keyOf` names a row, for tests. Rows stay where they are and change what they say, so that nothing moves on a page whose newest
 * row comes first.
 */
export function DataTable<Row>(props: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf?: (row: Row) => string;
}) {
  return (
    <div class="table-place" tabindex="0" role="region" aria-label={props.caption}>
      <table>
        <caption class="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            <For each={props.columns}>
              {(column) => (
                <th scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <Index each={props.rows}>
            {(row) => (
              <tr data-key={props.keyOf?.(row())}>
                <For each={props.columns}>
                  {(column, at) =>
                    at() === 0 ? (
                      <th scope="row" class={classOf(column)}>
                        {column.cell(row)}
                      </th>
                    ) : (
                      <td class={classOf(column)}>{column.cell(row)}</td>
                    )
                  }
                </For>
              </tr>
            )}
          </Index>
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ isWide, isNumber }: Column<Row>): string | undefined {
  const names = [...(isWide ? ["wide"] : []), ...(isNumber ? ["number", "right"] : [])];
  return names.length === 0 ? undefined : names.join(" ");
}
