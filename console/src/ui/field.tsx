import { createUniqueId, For, type JSX, Show } from 'solid-js'

/** An option of a select field. */
export interface Choice<T extends string> {
  readonly value: T
  readonly label: string
}

interface FieldProps {
  readonly label: string
  /** Why the value is invalid. */
  readonly problem?: string | undefined
}

function Problem(props: { readonly id: string; readonly text: string | undefined }): JSX.Element {
  return (
    <Show when={props.text}>
      <span class="problem" id={props.id}>
        {props.text}
      </span>
    </Show>
  )
}

/** A problem of several fields together. */
export function ProblemLine(props: { readonly text: string | undefined }): JSX.Element {
  return (
    <Show when={props.text}>
      <p class="problem">{props.text}</p>
    </Show>
  )
}

/** A labelled select field. */
export function SelectField<T extends string>(
  props: FieldProps & {
    readonly value: T
    readonly choices: readonly Choice<T>[]
    /** Whether a choice is disabled. */
    readonly isDisabled?: (value: T) => boolean
    /** `hidden` where the surroundings show the label. */
    readonly labelDisplay?: 'shown' | 'hidden'
    readonly onChange: (value: T) => void
  },
): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="field">
      <label for={id} class={props.labelDisplay === 'hidden' ? 'visually-hidden' : undefined}>
        {props.label}
      </label>
      <select
        id={id}
        aria-invalid={props.problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => {
          const chosen = props.choices.find(({ value }) => value === event.currentTarget.value)
          if (chosen) props.onChange(chosen.value)
        }}
      >
        <For each={props.choices}>
          {(choice) => (
            <option
              value={choice.value}
              selected={choice.value === props.value}
              disabled={props.isDisabled?.(choice.value) ?? false}
            >
              {choice.label}
            </option>
          )}
        </For>
      </select>
      <Problem id={`${id}-problem`} text={props.problem} />
    </div>
  )
}

/** A labelled line of text with suggestions. */
export function TextField(
  props: FieldProps & {
    readonly value: string
    readonly type?: 'text' | 'email' | 'password' | 'number' | 'datetime-local' | 'search'
    readonly placeholder?: string
    readonly autocomplete?: string
    readonly required?: boolean
    /** `any` for numbers with decimals. */
    readonly step?: string
    readonly suggestions?: readonly string[] | undefined
    readonly onInput?: (value: string) => void
    readonly onChange?: (value: string) => void
    readonly onFocus?: () => void
  },
): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type={props.type ?? 'text'}
        value={props.value}
        placeholder={props.placeholder}
        autocomplete={props.autocomplete ?? 'off'}
        required={props.required}
        step={props.step}
        list={props.suggestions ? `${id}-list` : undefined}
        aria-invalid={props.problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => props.onInput?.(event.currentTarget.value)}
        onChange={(event) => props.onChange?.(event.currentTarget.value)}
        onFocus={() => props.onFocus?.()}
      />
      <Show when={props.suggestions}>
        {(suggestions) => (
          <datalist id={`${id}-list`}>
            <For each={suggestions()}>{(value) => <option value={value} />}</For>
          </datalist>
        )}
      </Show>
      <Problem id={`${id}-problem`} text={props.problem} />
    </div>
  )
}

/** A labelled checkbox. */
export function CheckField(props: {
  readonly label: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.isChecked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
}
