import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import { For, type JSX, Show } from 'solid-js'
import './table.css'

/** The order of a table. */
export interface Sorting<Key extends string = string> {
  readonly key: Key
  readonly direction: 'ascending' | 'descending'
}

/** A column of a table. */
export interface Column<Row, Key extends string = string> {
  readonly key: Key
  readonly title: string
  /** `number`: to the right, digits of one width. `wide`: takes the room that is left, and is cut. */
  readonly kind?: 'text' | 'number' | 'wide'
  /** Whether a click on the head sorts by this column. */
  readonly isSortable?: boolean
  readonly cell: (row: Row) => JSX.Element
}

/** The order after a click on a head: numbers begin with the largest, text with A. */
function nextSorting<Key extends string>(
  column: { readonly key: Key; readonly kind?: string },
  now: Sorting<Key> | undefined,
): Sorting<Key> {
  const first = column.kind === 'number' ? 'descending' : 'ascending'
  if (now?.key !== column.key) return { key: column.key, direction: first }
  return { key: column.key, direction: now.direction === 'ascending' ? 'descending' : 'ascending' }
}

/** Whether a click is one on a row: clicks on a control inside it, or in a layer that one opened, are none. */
export function isOnRow({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element && currentTarget instanceof Element)) return false
  return currentTarget.contains(target) && target.closest('a, button, input, label') === null
}

/** A table with a sticky head. The name in a row that opens is a link, so that keys reach it. */
export function Table<Row, Key extends string>(props: {
  readonly label: string
  readonly columns: readonly Column<Row, Key>[]
  readonly rows: readonly Row[]
  readonly sorting?: Sorting<Key> | undefined
  readonly onSort?: (sorting: Sorting<Key>) => void
  /** Opens a row that was clicked. */
  readonly onOpen?: ((row: Row) => void) | undefined
  readonly isSelected?: (row: Row) => boolean
}): JSX.Element {
  return (
    <section class="ui-table-box" tabindex="0" aria-label={props.label}>
      <table class="ui-table">
        <thead>
          <tr>
            <For each={props.columns}>
              {(column) => (
                <HeadCell column={column} sorting={props.sorting} onSort={(to) => props.onSort?.(to)} />
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>
            {(row) => (
              <tr
                data-opens={props.onOpen ? '' : undefined}
                aria-selected={props.isSelected?.(row)}
                onClick={(event) => {
                  if (isOnRow(event)) props.onOpen?.(row)
                }}
              >
                <For each={props.columns}>
                  {(column) => (
                    <td data-kind={column.kind} data-title={column.title}>
                      {column.cell(row)}
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  )
}

/** The head of a column, which sorts the table. */
export function HeadCell<Row, Key extends string>(props: {
  readonly column: Column<Row, Key>
  readonly sorting: Sorting<Key> | undefined
  readonly onSort: (sorting: Sorting<Key>) => void
}): JSX.Element {
  const direction = (): Sorting['direction'] | undefined =>
    props.sorting?.key === props.column.key ? props.sorting.direction : undefined
  const next = (): Sorting<Key> => nextSorting(props.column, props.sorting)
  return (
    <th scope="col" data-kind={props.column.kind} aria-sort={direction()}>
      <Show when={props.column.isSortable} fallback={props.column.title}>
        <button type="button" class="ui-table-sort" onClick={() => props.onSort(next())}>
          {props.column.title}
          <Show when={(direction() ?? next().direction) === 'ascending'} fallback={<ArrowDown />}>
            <ArrowUp />
          </Show>
        </button>
      </Show>
    </th>
  )
}
