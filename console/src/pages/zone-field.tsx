import type { JSX } from 'solid-js'
import { TextField } from '../ui/field.tsx'

/** An IANA name of a time zone. */
export function ZoneField(props: {
  readonly value: string
  readonly problem: string | undefined
  readonly onInput: (zone: string) => void
}): JSX.Element {
  return (
    <TextField
      label="Time zone of reports"
      required
      value={props.value}
      suggestions={Intl.supportedValuesOf('timeZone')}
      problem={props.problem}
      onInput={props.onInput}
    />
  )
}
