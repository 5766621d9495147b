import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Columns from 'lucide-solid/icons/columns-3'
import GripVertical from 'lucide-solid/icons/grip-vertical'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from './button.tsx'
import './column-menu.css'
import { moveColumn, toggleColumn } from './column-order.ts'
import { Checkbox } from './input.tsx'
import { Popover } from './popover.tsx'

interface MenuProps {
  /** The keys of the columns that are shown, in their order. */
  readonly shown: readonly string[]
  /** The keys of the others. */
  readonly absent: readonly string[]
  readonly titleOf: (key: string) => string
  /** Most columns that are shown. */
  readonly columnsMax: number
  readonly onOpen?: () => void
  readonly onChange: (keys: readonly string[]) => void
  readonly onReset: () => void
}

/** Chooses and orders the columns of a list. */
export function ColumnMenu(props: MenuProps): JSX.Element {
  return (
    <Popover
      label={t('ui.columns')}
      placement="bottom-end"
      onOpenChange={(isOpen) => isOpen && props.onOpen?.()}
      trigger={(attributes) => (
        <Button {...attributes} icon={<Columns />}>
          {t('ui.columns')}
        </Button>
      )}
    >
      {() => (
        <div class="ui-columns">
          <Show when={props.shown.length > 1}>
            <p>{t('ui.columnsHint')}</p>
          </Show>
          <Show when={props.shown.length > 0}>
            <ShownColumns {...props} />
          </Show>
          <ul>
            <For each={props.absent}>
              {(key) => (
                <li>
                  <Checkbox
                    label={props.titleOf(key)}
                    isChecked={false}
                    isDisabled={props.shown.length >= props.columnsMax}
                    onChange={() => toggle(props, key)}
                  />
                </li>
              )}
            </For>
          </ul>
          <Button size="small" tone="ghost" onClick={props.onReset}>
            {t('ui.resetColumns')}
          </Button>
        </div>
      )}
    </Popover>
  )
}

function toggle({ shown, columnsMax, onChange }: MenuProps, key: string): void {
  onChange(toggleColumn(shown, { key, columnsMax }))
}

/** The columns in their order, which dragging and the arrow buttons change. */
function ShownColumns(props: MenuProps): JSX.Element {
  const [dragged, setDragged] = createSignal<number>()
  const move = (from: number, to: number): void => props.onChange(moveColumn(props.shown, { from, to }))
  const drop = (to: number): void => {
    const from = dragged()
    setDragged(undefined)
    if (from !== undefined && from !== to) move(from, to)
  }
  return (
    <ol>
      <For each={props.shown}>
        {(key, at) => {
          const title = props.titleOf(key)
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
              <Checkbox label={title} isChecked={true} onChange={() => toggle(props, key)} />
              <IconButton
                size="small"
                tone="ghost"
                name={t('ui.moveUp', { name: title })}
                isDisabled={at() === 0}
                onClick={() => move(at(), at() - 1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                size="small"
                tone="ghost"
                name={t('ui.moveDown', { name: title })}
                isDisabled={at() === props.shown.length - 1}
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
