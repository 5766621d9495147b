import type { JSX } from 'solid-js'
import { CopyButton } from './copy-button.tsx'

/** A labelled text with a copy button. */
export function CodeBlock(props: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{props.label}</span>
        <CopyButton text={props.text} label={props.label} />
      </figcaption>
      <pre tabindex="0">
        <code>{props.text}</code>
      </pre>
    </figure>
  )
}
