import { FLAGS } from 'virtual:flags'
import { type JSX, Show } from 'solid-js'
import './avatar.css'

const CODES = new Set(FLAGS.codes.split(' '))

/** The flag of a country beside its name; an empty box for a code without one. */
export function Flag(props: {
  /** ISO 3166-1 alpha-2, in any case. */
  readonly country: string
}): JSX.Element {
  const code = (): string => props.country.toUpperCase()
  return (
    <Show when={CODES.has(code())} fallback={<span class="ui-flag" aria-hidden="true" />}>
      <img
        class="ui-flag"
        src={`${FLAGS.folder}/${code()}.svg`}
        alt=""
        width="16"
        height="11"
        loading="lazy"
        decoding="async"
      />
    </Show>
  )
}
