import { children, type JSX, Show, splitProps } from 'solid-js'
import './button.css'
import { Spinner } from './spinner.tsx'

/** The tone of a button: at most one `primary` in a view; `destructive` is solid, `danger` opens a destructive dialog. */
export type ButtonTone = 'primary' | 'plain' | 'ghost' | 'danger' | 'destructive'

/** Properties that all buttons share. */
interface ButtonLook {
  readonly tone?: ButtonTone | undefined
  readonly size?: 'normal' | 'small' | undefined
}

/** The props of a button, beside the attributes of its element. */
export interface ButtonProps
  extends ButtonLook,
    Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** An icon before the label. */
  readonly icon?: JSX.Element
  /** While true a spinner replaces the icon, and clicks do nothing. */
  readonly isLoading?: boolean | undefined
  readonly isDisabled?: boolean | undefined
}

const OWN = ['tone', 'size', 'icon', 'isLoading', 'isDisabled', 'class', 'children', 'onClick'] as const

type Click = JSX.EventHandlerUnion<HTMLButtonElement, MouseEvent>

function callClick(
  handler: Click | undefined,
  event: Parameters<JSX.EventHandler<HTMLButtonElement, MouseEvent>>[0],
): void {
  if (typeof handler === 'function') handler(event)
  else handler?.[0](handler[1], event)
}

/** A button with a label. */
export function Button(props: ButtonProps): JSX.Element {
  const [own, rest] = splitProps(props, OWN)
  const icon = children(() => own.icon)
  const isStill = (): boolean => own.isLoading === true || own.isDisabled === true
  return (
    <button
      type="button"
      {...rest}
      class={`ui-button ${own.class ?? ''}`}
      data-tone={own.tone ?? 'plain'}
      data-size={own.size}
      data-has-icon={icon() === undefined ? undefined : ''}
      disabled={own.isDisabled}
      aria-busy={own.isLoading ? 'true' : undefined}
      onClick={(event) => {
        if (!isStill()) callClick(own.onClick, event)
        else event.preventDefault()
      }}
    >
      <Show when={own.isLoading} fallback={icon()}>
        <Spinner class="ui-button-spinner" />
      </Show>
      <span class="ui-button-label">{own.children}</span>
    </button>
  )
}

/** The props of a button that shows an icon only. */
export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'aria-label'> {
  /** The accessible name; also the tooltip. */
  readonly name: string
  /** A key that does the same, shown in the tooltip. */
  readonly keys?: string | undefined
}

/** A button of one icon, its child. Its name is its tooltip. */
export function IconButton(props: IconButtonProps): JSX.Element {
  const [own, rest] = splitProps(props, [
    'tone',
    'size',
    'isLoading',
    'isDisabled',
    'class',
    'children',
    'onClick',
    'name',
    'keys',
  ])
  return (
    <button
      type="button"
      {...rest}
      class={`ui-button ui-icon-button ${own.class ?? ''}`}
      data-tone={own.tone ?? 'plain'}
      data-size={own.size}
      data-tip={own.name}
      data-tip-keys={own.keys}
      aria-label={own.name}
      aria-busy={own.isLoading ? 'true' : undefined}
      disabled={own.isDisabled}
      onClick={(event) => {
        if (!own.isLoading) callClick(own.onClick, event)
      }}
    >
      <Show when={own.isLoading} fallback={own.children}>
        <Spinner />
      </Show>
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink(
  props: ButtonLook & JSX.AnchorHTMLAttributes<HTMLAnchorElement> & { readonly icon?: JSX.Element },
): JSX.Element {
  const [own, rest] = splitProps(props, ['tone', 'size', 'icon', 'class', 'children'])
  return (
    <a {...rest} class={`ui-button ${own.class ?? ''}`} data-tone={own.tone ?? 'plain'} data-size={own.size}>
      {own.icon}
      <span class="ui-button-label">{own.children}</span>
    </a>
  )
}
