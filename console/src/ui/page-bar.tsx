import type { JSX } from 'solid-js'
import './page-bar.css'

/**
 * The head of a page, which stays in view: its name at the left, its actions at the right. It reaches to the edges of a page
 * whose padding is `--page-margin`.
 */
export function PageBar(props: { readonly class?: string; readonly children?: JSX.Element }): JSX.Element {
  return <header class={`ui-page-bar ${props.class ?? ''}`}>{props.children}</header>
}
