import { For, type JSX, Show } from 'solid-js'
import { formatNumber } from '../app/format.ts'
import type { Table } from '../insight/table.ts'

/** Rows that a page shows; the export has all of them. */
const ROWS_MAX = 500

/** A table of an answer. */
export function DataTable(props: { readonly table: Table; readonly label: string }): JSX.Element {
  return (
    <>
      <section class="table-scroll" tabindex="0" aria-label={props.label}>
        <table>
          <thead>
            <tr>
              <For each={props.table.columns}>{(column) => <th scope="col">{column}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={props.table.rows.slice(0, ROWS_MAX)}>
              {(row) => (
                <tr>
                  <For each={row}>
                    {(cell) => (
                      <td class={typeof cell === 'number' ? 'number' : undefined}>
                        {typeof cell === 'number' ? formatNumber(cell) : cell}
                      </td>
                    )}
                  </For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
      <Show when={props.table.rows.length > ROWS_MAX}>
        <p class="quiet small">
          The first {ROWS_MAX} of {formatNumber(props.table.rows.length)} rows; the export has all.
        </p>
      </Show>
    </>
  )
}
