import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Columns from 'lucide-solid/icons/columns-3'
import GripVertical from 'lucide-solid/icons/grip-vertical'
import { createMemo, createSignal, For, type JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/input.tsx'
import { Popover } from '../../ui/popover.tsx'
import { viewOfColumn } from './column-cells.tsx'
import {
  type ColumnChoice,
  DEFAULT_COLUMNS,
  FIXED_COLUMNS,
  keyOfColumn,
  moveColumn,
  toggleColumn,
} from './columns.ts'

/** Chooses and orders the columns of the list. */
export function ColumnMenu(props: {
  readonly columns: readonly ColumnChoice[]
  /** Names of properties of people that can be columns. */
  readonly properties: readonly string[]
  /** Reads the names of properties. */
  readonly onOpen: () => void
  readonly onChange: (columns: readonly ColumnChoice[]) => void
}): JSX.Element {
  const absent = createMemo((): readonly ColumnChoice[] => {
    const shown = new Set(props.columns.map(keyOfColumn))
    const all: readonly ColumnChoice[] = [
      ...FIXED_COLUMNS.map((name) => ({ kind: 'fixed', name }) as const),
      ...props.properties.map((name) => ({ kind: 'property', name }) as const),
    ]
    return all.filter((column) => !shown.has(keyOfColumn(column)))
  })
  const toggle = (column: ColumnChoice): void => props.onChange(toggleColumn(props.columns, column))
  return (
    <Popover
      label={t('people.columns')}
      placement="bottom-end"
      onOpenChange={(isOpen) => isOpen && props.onOpen()}
      trigger={(attributes) => (
        <Button {...attributes} icon={<Columns />}>
          {t('people.columns')}
        </Button>
      )}
    >
      {() => (
        <div class="people-columns">
          <p>{t('people.columnsHint')}</p>
          <ShownColumns {...props} onToggle={toggle} />
          <ul>
            <For each={absent()}>
              {(column) => (
                <li>
                  <Checkbox
                    label={viewOfColumn(column).title}
                    isChecked={false}
                    onChange={() => toggle(column)}
                  />
                </li>
              )}
            </For>
          </ul>
          <Button size="small" tone="ghost" onClick={() => props.onChange(DEFAULT_COLUMNS)}>
            {t('people.resetColumns')}
          </Button>
        </div>
      )}
    </Popover>
  )
}

/** The columns in their order, which dragging and the arrow buttons change. */
function ShownColumns(props: {
  readonly columns: readonly ColumnChoice[]
  readonly onChange: (columns: readonly ColumnChoice[]) => void
  readonly onToggle: (column: ColumnChoice) => void
}): JSX.Element {
  const [dragged, setDragged] = createSignal<number>()
  const move = (from: number, to: number): void => props.onChange(moveColumn(props.columns, { from, to }))
  const drop = (to: number): void => {
    const from = dragged()
    setDragged(undefined)
    if (from !== undefined && from !== to) move(from, to)
  }
  return (
    <ol>
      <For each={props.columns}>
        {(column, at) => {
          const { title } = viewOfColumn(column)
          return (
            <li
              draggable="true"
              data-dragged={dragged() === at() ? '' : undefined}
              onDragStart={() => setDragged(at())}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => drop(at())}
            >
              <GripVertical />
              <Checkbox label={title} isChecked={true} onChange={() => props.onToggle(column)} />
              <IconButton
                size="small"
                tone="ghost"
                name={t('people.moveUp', { name: title })}
                isDisabled={at() === 0}
                onClick={() => move(at(), at() - 1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                size="small"
                tone="ghost"
                name={t('people.moveDown', { name: title })}
                isDisabled={at() === props.columns.length - 1}
                onClick={() => move(at(), at() + 1)}
              >
                <ArrowDown />
              </IconButton>
            </li>
          )
        }}
      </For>
    </ol>
  )
}
