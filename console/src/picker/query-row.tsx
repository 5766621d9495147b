import './messages.ts'
import MoveDown from 'lucide-solid/icons/arrow-down'
import MoveUp from 'lucide-solid/icons/arrow-up'
import Copy from 'lucide-solid/icons/copy'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Eye from 'lucide-solid/icons/eye'
import EyeOff from 'lucide-solid/icons/eye-off'
import GripVertical from 'lucide-solid/icons/grip-vertical'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { LetterBadge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import './query-row.css'

/** The new position of a row. */
export interface RowMove {
  readonly from: number
  readonly to: number
}

/** The props of a row of a query. */
export interface QueryRowProps {
  /** A letter for a series, a number for a step. */
  readonly badge: string
  /** The name of the row for screen readers: "Series A". */
  readonly name: string
  /** Its position in the list, and the length of the list. */
  readonly index: number
  readonly count: number
  /** The event and the measure. */
  readonly children: JSX.Element
  /** The filters, under the event. */
  readonly below?: JSX.Element
  /** A sentence about what is wrong with the row. */
  readonly problem?: string | undefined
  readonly isHidden?: boolean
  readonly onHide?: (() => void) | undefined
  readonly onDuplicate?: (() => void) | undefined
  readonly onDelete?: (() => void) | undefined
  readonly onMove?: ((move: RowMove) => void) | undefined
  /** Further entries at the top of the menu: rename, add filter. */
  readonly entries?: readonly MenuEntry[]
}

/**
 * One series or step: its badge, chips and actions. Rows of a list are dragged by their grip, or moved with Alt+↑ and Alt+↓;
 * the list is an element with `data-query-rows` around them.
 */
export function QueryRow(props: QueryRowProps): JSX.Element {
  const move = (to: number): void => {
    if (to >= 0 && to < props.count) props.onMove?.({ from: props.index, to })
  }
  const press = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowUp' ? -1 : 1
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !props.onMove) return
    event.preventDefault()
    move(props.index + by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of chips is no form
    <div
      class="query-row"
      role="group"
      aria-label={props.name}
      data-hidden={props.isHidden ? '' : undefined}
      data-query-row
      onKeyDown={press}
    >
      <Show when={props.onMove && props.count > 1}>
        <Grip name={props.name} onDrop={move} />
      </Show>
      <LetterBadge letter={props.badge} />
      <div class="query-row-chips">{props.children}</div>
      <div class="query-row-actions">
        <RowActions {...props} onMoveTo={move} />
      </div>
      <Show when={props.below}>
        <div class="query-row-below">{props.below}</div>
      </Show>
      <Show when={props.problem}>
        {(problem) => (
          <p class="query-row-problem" role="alert">
            {problem()}
          </p>
        )}
      </Show>
    </div>
  )
}

function RowActions(props: QueryRowProps & { readonly onMoveTo: (to: number) => void }): JSX.Element {
  const hideName = (): string =>
    props.isHidden ? t('picker.show', { name: props.name }) : t('picker.hide', { name: props.name })
  return (
    <>
      <Show when={props.onDuplicate}>
        {(duplicate) => (
          <span class="query-row-hovered">
            <IconButton
              name={t('picker.duplicate', { name: props.name })}
              tone="ghost"
              size="small"
              onClick={() => duplicate()()}
            >
              <Copy />
            </IconButton>
          </span>
        )}
      </Show>
      <Show when={props.onDelete}>
        {(remove) => (
          <span class="query-row-hovered">
            <IconButton
              name={t('picker.deleteRow', { name: props.name })}
              tone="ghost"
              size="small"
              onClick={() => remove()()}
            >
              <Trash />
            </IconButton>
          </span>
        )}
      </Show>
      <Show when={props.onHide}>
        {(hide) => (
          <IconButton
            name={hideName()}
            tone="ghost"
            size="small"
            aria-pressed={props.isHidden ?? false}
            onClick={() => hide()()}
          >
            <Show when={props.isHidden} fallback={<EyeOff />}>
              <Eye />
            </Show>
          </IconButton>
        )}
      </Show>
      <Menu
        entries={menuEntries(props)}
        trigger={(attributes) => (
          <IconButton
            {...attributes}
            name={t('picker.actionsOf', { name: props.name })}
            tone="ghost"
            size="small"
          >
            <Ellipsis />
          </IconButton>
        )}
      />
    </>
  )
}

/** All actions of a row: those on hover are here for touch and keys. */
function menuEntries(
  props: QueryRowProps & { readonly onMoveTo: (to: number) => void },
): readonly MenuEntry[] {
  const { index, count, onDuplicate, onDelete, onMove } = props
  const moves: readonly MenuEntry[] = [
    {
      label: t('picker.moveUp'),
      icon: () => <MoveUp />,
      keys: ['Alt', '↑'],
      isDisabled: index === 0,
      onSelect: () => props.onMoveTo(index - 1),
    },
    {
      label: t('picker.moveDown'),
      icon: () => <MoveDown />,
      keys: ['Alt', '↓'],
      isDisabled: index === count - 1,
      onSelect: () => props.onMoveTo(index + 1),
    },
  ]
  return [
    ...(props.entries ?? []),
    ...(onDuplicate
      ? [{ label: t('picker.duplicateRow'), icon: () => <Copy />, onSelect: onDuplicate }]
      : []),
    ...(onMove && count > 1 ? moves : []),
    ...(onDelete
      ? ([
          'line',
          { label: t('common.delete'), icon: () => <Trash />, tone: 'danger', onSelect: onDelete },
        ] as const)
      : []),
  ]
}

/** The handle of a row; the row is dropped where the pointer is released. Keys and the menu do the same. */
function Grip(props: { readonly name: string; readonly onDrop: (to: number) => void }): JSX.Element {
  const [isDragged, setDragged] = createSignal(false)
  let grip: HTMLButtonElement | undefined
  const rows = (): readonly Element[] => [
    ...(grip?.closest('[data-query-rows]')?.querySelectorAll('[data-query-row]') ?? []),
  ]
  const mark = (to: number | undefined): void => {
    const own = rows().findIndex((row) => grip && row.contains(grip))
    for (const [at, row] of rows().entries()) {
      const isTarget = at === to && to !== own
      row.toggleAttribute('data-drop-before', isTarget && at < own)
      row.toggleAttribute('data-drop-after', isTarget && at > own)
    }
  }
  const rowAt = (y: number): number => {
    const at = rows().findIndex((row) => y < row.getBoundingClientRect().bottom)
    return at === -1 ? rows().length - 1 : at
  }
  const end = (event: PointerEvent, how: 'drop' | 'cancel'): void => {
    if (!isDragged()) return
    setDragged(false)
    mark(undefined)
    if (how === 'drop') props.onDrop(rowAt(event.clientY))
  }
  return (
    <button
      ref={grip}
      type="button"
      class="query-row-grip"
      aria-label={t('picker.moveRow', { name: props.name })}
      data-dragged={isDragged() ? '' : undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(true)
      }}
      onPointerMove={(event) => {
        if (isDragged()) mark(rowAt(event.clientY))
      }}
      onPointerUp={(event) => end(event, 'drop')}
      onPointerCancel={(event) => end(event, 'cancel')}
    >
      <GripVertical />
    </button>
  )
}
