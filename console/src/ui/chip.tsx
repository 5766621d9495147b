import ChevronDown from 'lucide-solid/icons/chevron-down'
import Plus from 'lucide-solid/icons/plus'
import X from 'lucide-solid/icons/x'
import { type JSX, Show, splitProps } from 'solid-js'
import { t } from '../i18n/translate.ts'
import './chip.css'

type ButtonAttributes = JSX.ButtonHTMLAttributes<HTMLButtonElement>

/** One part of a chip: a button that opens the popover of this part. */
export function ChipPart(
  props: ButtonAttributes & {
    readonly part?: 'property' | 'operator' | 'value'
    readonly icon?: JSX.Element
  },
): JSX.Element {
  const [own, rest] = splitProps(props, ['part', 'icon', 'class', 'children'])
  return (
    <button type="button" {...rest} class={`ui-chip-part ${own.class ?? ''}`} data-part={own.part}>
      {own.icon}
      <span class="ui-ellipsis">{own.children}</span>
    </button>
  )
}

/** A chip of parts, for example a filter: property, operator, value and a button that removes it. */
export function FilterChip(props: {
  /** The sentence that the parts form, for screen readers: `Country is Germany`. */
  readonly name: string
  readonly state?: 'chosen' | 'plain' | 'error'
  /** The accessible name of the button that removes the chip. */
  readonly removeName?: string
  readonly onRemove?: () => void
  readonly children: JSX.Element
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of inline boxes with a legend outside of it
    <span class="ui-chip" role="group" aria-label={props.name} data-state={props.state ?? 'chosen'}>
      {props.children}
      <Show when={props.onRemove}>
        {(remove) => (
          <button
            type="button"
            class="ui-chip-part"
            data-part="remove"
            data-tip={props.removeName ?? t('common.remove')}
            aria-label={props.removeName ?? t('common.remove')}
            onClick={() => remove()()}
          >
            <X />
          </button>
        )}
      </Show>
    </span>
  )
}

/** A chip of one part that opens a list, with an arrow: an event, a measure. */
export function SelectChip(
  props: ButtonAttributes & {
    readonly icon?: JSX.Element
    readonly state?: 'chosen' | 'plain' | 'error'
  },
): JSX.Element {
  const [own, rest] = splitProps(props, ['icon', 'state', 'class', 'children'])
  return (
    <span class="ui-chip" data-state={own.state ?? 'plain'}>
      <button type="button" {...rest} class={`ui-chip-part ${own.class ?? ''}`}>
        {own.icon}
        <span class="ui-ellipsis">{own.children}</span>
        <ChevronDown class="ui-chip-arrow" />
      </button>
    </span>
  )
}

/** A dashed chip that adds another: `+ Filter`. */
export function AddChip(props: ButtonAttributes): JSX.Element {
  const [own, rest] = splitProps(props, ['class', 'children'])
  return (
    <span class="ui-chip" data-state="add">
      <button type="button" {...rest} class={`ui-chip-part ${own.class ?? ''}`}>
        <Plus />
        <span>{own.children}</span>
      </button>
    </span>
  )
}
