import type { JSX } from 'solid-js'
import './spinner.css'

/** A turning ring beside text that names the work in progress; screen readers skip it. */
export function Spinner(props: { readonly class?: string }): JSX.Element {
  return <span class={`ui-spinner ${props.class ?? ''}`} aria-hidden="true" />
}

/** The dot beside current activity; the text beside it has the same meaning in words. */
export function LiveDot(props: { readonly state?: 'live' | 'waiting' | 'off' }): JSX.Element {
  return <span class="ui-live-dot" data-state={props.state ?? 'live'} aria-hidden="true" />
}
