import { createUniqueId, type JSX, Show } from 'solid-js'
import type { Catalog } from '../../picker/catalog.ts'

/** The props of the part of a query that only its type has. */
export interface TypeProps<Part> {
  readonly catalog: Catalog
  readonly part: Part
  readonly onChange: (part: Part) => void
}

/** A part of the query under its heading. */
export function PanelSection(props: {
  readonly title: string
  /** At the right of the heading. */
  readonly after?: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  return (
    <section class="query-section" aria-labelledby={id}>
      <header class="query-section-head">
        <h3 id={id}>{props.title}</h3>
        <Show when={props.after}>{props.after}</Show>
      </header>
      {props.children}
    </section>
  )
}

/** A setting of a query: its label at the left, its control at the right. */
export function PanelSetting(props: { readonly label: string; readonly children: JSX.Element }): JSX.Element {
  return (
    <div class="query-setting">
      <span aria-hidden="true">{props.label}</span>
      {props.children}
    </div>
  )
}
