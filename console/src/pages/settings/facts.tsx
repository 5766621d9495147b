import { For, type JSX } from 'solid-js'

/** Names and values; a pair without a value is left out. */
export function Facts(props: {
  readonly facts: readonly (readonly [name: string, value: string])[]
}): JSX.Element {
  return (
    <dl class="settings-facts">
      <For each={props.facts.filter(([, value]) => value !== '')}>
        {([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )}
      </For>
    </dl>
  )
}
