import type { JSX } from 'solid-js'

/** A framed example with its name. */
export function Example(props: { readonly title: string; readonly children: JSX.Element }): JSX.Element {
  return (
    <section class="gallery-card">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  )
}
