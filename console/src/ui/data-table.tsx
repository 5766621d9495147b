import { createMemo, For, type JSX, Show } from 'solid-js'
import { type Cell, cellWriter, type Table } from '../format/table.ts'
import type { Unit } from '../format/unit.ts'
import { t } from '../i18n/translate.ts'

/** Rows that a page shows; the export has all of them. */
const ROWS_MAX = 500

/** A table of an answer, its moments in a zone and its values in a unit. */
export function DataTable(props: {
  readonly table: Table
  readonly label: string
  readonly unit: Unit
  readonly timeZone: string
}): JSX.Element {
  const shown = () => props.table.rows.slice(0, ROWS_MAX)
  const writers = createMemo(() =>
    props.table.columns.map((column, at) =>
      cellWriter(
        column,
        shown().map((row) => row[at] ?? ''),
        props,
      ),
    ),
  )
  const write = (cell: Cell, at: number): string => writers()[at]?.(cell) ?? String(cell)
  return (
    <>
      <section class="table-scroll" tabindex="0" aria-label={props.label}>
        <table>
          <thead>
            <tr>
              <For each={props.table.columns}>{({ name }) => <th scope="col">{name}</th>}</For>
            </tr>
          </thead>
          <tbody>
            <For each={shown()}>
              {(row) => (
                <tr>
                  <For each={row}>
                    {(cell, at) => (
                      <td class={typeof cell === 'number' ? 'number' : undefined}>{write(cell, at())}</td>
                    )}
                  </For>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </section>
      <Show when={props.table.rows.length > ROWS_MAX}>
        <p class="quiet small">{t('ui.firstRows', { shown: ROWS_MAX, total: props.table.rows.length })}</p>
      </Show>
    </>
  )
}
