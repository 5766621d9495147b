import CircleAlert from 'lucide-solid/icons/circle-alert'
import Search from 'lucide-solid/icons/search'
import { createRenderEffect, createUniqueId, type JSX, Show, splitProps } from 'solid-js'
import './input.css'

/** The texts that all form fields share. */
export interface FieldText {
  readonly label: string
  /** `hidden` where the surroundings show the label. */
  readonly labelDisplay?: 'shown' | 'hidden' | undefined
  readonly hint?: string | undefined
  /** The reason why the value is invalid, and its remedy. */
  readonly problem?: string | undefined
}

/** The ids that tie a control to the texts around it. */
export interface FieldIds {
  readonly id: string
  readonly describedBy: string | undefined
  readonly invalid: 'true' | undefined
}

/** A label above a control, a hint and a problem below it. */
export function FieldBox(
  props: FieldText & { readonly children: (ids: () => FieldIds) => JSX.Element },
): JSX.Element {
  const id = createUniqueId()
  const textId = `${id}-text`
  const ids = (): FieldIds => ({
    id,
    describedBy: props.problem === undefined && props.hint === undefined ? undefined : textId,
    invalid: props.problem === undefined ? undefined : 'true',
  })
  return (
    <div class="ui-field">
      <label for={id} class={props.labelDisplay === 'hidden' ? 'ui-hidden' : 'ui-field-label'}>
        {props.label}
      </label>
      {props.children(ids)}
      <div id={textId} aria-live="polite">
        <Show
          when={props.problem}
          fallback={<Show when={props.hint}>{(hint) => <p class="ui-field-hint">{hint()}</p>}</Show>}
        >
          {(problem) => (
            <p class="ui-field-problem">
              <CircleAlert />
              {problem()}
            </p>
          )}
        </Show>
      </div>
    </div>
  )
}

type InputAttributes = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'onChange' | 'id'>

const TEXTS = ['label', 'labelDisplay', 'hint', 'problem'] as const

/** A labelled line of text. A placeholder is an example, never the label. */
export function Input(
  props: FieldText &
    InputAttributes & {
      readonly onInput?: (value: string) => void
      readonly onChange?: (value: string) => void
    },
): JSX.Element {
  const [own, rest] = splitProps(props, [...TEXTS, 'onInput', 'onChange', 'class'])
  return (
    <FieldBox {...own}>
      {(ids) => (
        <input
          type="text"
          autocomplete="off"
          {...rest}
          id={ids().id}
          class={`ui-input ${own.class ?? ''}`}
          aria-invalid={ids().invalid}
          aria-describedby={ids().describedBy}
          onInput={(event) => own.onInput?.(event.currentTarget.value)}
          onChange={(event) => own.onChange?.(event.currentTarget.value)}
        />
      )}
    </FieldBox>
  )
}

/** A labelled text of several lines. */
export function TextArea(
  props: FieldText & {
    readonly value: string
    readonly rows?: number
    readonly placeholder?: string
    readonly readOnly?: boolean
    readonly onInput?: (value: string) => void
  },
): JSX.Element {
  return (
    <FieldBox {...props}>
      {(ids) => (
        <textarea
          id={ids().id}
          class="ui-input"
          rows={props.rows ?? 3}
          value={props.value}
          placeholder={props.placeholder}
          readOnly={props.readOnly}
          aria-invalid={ids().invalid}
          aria-describedby={ids().describedBy}
          onInput={(event) => props.onInput?.(event.currentTarget.value)}
        />
      )}
    </FieldBox>
  )
}

/** A search field with its icon; the label is hidden. */
export function SearchInput(
  props: InputAttributes & {
    readonly label: string
    readonly onInput: (value: string) => void
    /** For example the key that leads here. */
    readonly after?: JSX.Element
  },
): JSX.Element {
  const [own, rest] = splitProps(props, ['label', 'onInput', 'after', 'class'])
  return (
    <div class={`ui-input-box ${own.class ?? ''}`}>
      <Search />
      <input
        type="search"
        autocomplete="off"
        spellcheck={false}
        {...rest}
        aria-label={own.label}
        onInput={(event) => own.onInput(event.currentTarget.value)}
      />
      {own.after}
    </div>
  )
}

/** The props of a checkbox or a switch. */
interface CheckProps {
  readonly label: JSX.Element
  readonly labelDisplay?: 'shown' | 'hidden'
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A checkbox with its label. */
export function Checkbox(props: CheckProps & { readonly isIndeterminate?: boolean }): JSX.Element {
  return (
    <label class="ui-check">
      <input
        type="checkbox"
        class="ui-checkbox"
        checked={props.isChecked}
        ref={(box) => {
          createRenderEffect(() => {
            box.indeterminate = props.isIndeterminate ?? false
          })
        }}
        disabled={props.isDisabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span class={props.labelDisplay === 'hidden' ? 'ui-hidden' : undefined}>{props.label}</span>
    </label>
  )
}

/** A switch with its label, for what takes effect at once. */
export function Switch(props: CheckProps): JSX.Element {
  return (
    <label class="ui-check">
      <input
        type="checkbox"
        role="switch"
        aria-checked={props.isChecked}
        class="ui-switch"
        checked={props.isChecked}
        disabled={props.isDisabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span class={props.labelDisplay === 'hidden' ? 'ui-hidden' : undefined}>{props.label}</span>
    </label>
  )
}
