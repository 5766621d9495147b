import type { JSX } from 'solid-js'

/** A labelled yes or no. */
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
