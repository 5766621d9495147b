import type { JSX } from 'solid-js'
import './spinner.css'

/** A turning ring beside text that says what is waited for; screen readers skip it. */
export function Spinner(props: { readonly class?: string }): JSX.Element {
  return <span class={`ui-spinner ${props.class ?? ''}`} aria-hidden="true" />
}

/** The dot beside what happens now; its neighbour says it in words. */
export function LiveDot(props: { readonly state?: 'live' | 'waiting' | 'off' }): JSX.Element {
  return <span class="ui-live-dot" data-state={props.state ?? 'live'} aria-hidden="true" />
}
