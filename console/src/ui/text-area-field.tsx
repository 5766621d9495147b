import { createUniqueId, type JSX, Show } from 'solid-js'

/** A labelled text field of several lines. */
export function TextAreaField(props: {
  readonly label: string
  readonly value: string
  readonly rows?: number
  readonly required?: boolean
  readonly placeholder?: string
  /** Why the value is invalid. */
  readonly problem?: string | undefined
  readonly onInput?: (value: string) => void
  readonly onChange?: (value: string) => void
}): JSX.Element {
  const id = createUniqueId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        rows={props.rows ?? 3}
        required={props.required}
        placeholder={props.placeholder}
        value={props.value}
        spellcheck={false}
        aria-invalid={props.problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => props.onInput?.(event.currentTarget.value)}
        onChange={(event) => props.onChange?.(event.currentTarget.value)}
      />
      <Show when={props.problem}>
        <span class="problem" id={`${id}-problem`}>
          {props.problem}
        </span>
      </Show>
    </div>
  )
}
