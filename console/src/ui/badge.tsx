import { For, type JSX } from 'solid-js'
import './badge.css'

/** The meanings that a badge distinguishes by colour, beside its word. */
export type BadgeTone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info'

/** A state in a word. */
export function Badge(props: {
  readonly tone?: BadgeTone
  readonly icon?: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <span class="ui-badge" data-tone={props.tone ?? 'neutral'}>
      {props.icon}
      {props.children}
    </span>
  )
}

/** The keys of a shortcut, for example `['⌘', 'K']`. */
export function Keys(props: { readonly keys: readonly string[] }): JSX.Element {
  return <For each={props.keys}>{(key) => <kbd class="ui-key">{key}</kbd>}</For>
}

/** The letter of a series or the number of a step. */
export function LetterBadge(props: { readonly letter: string }): JSX.Element {
  return <span class="ui-letter">{props.letter}</span>
}

/** A fact in a rounded frame; a link when it has an address. */
export function Pill(props: { readonly href?: string; readonly children: JSX.Element }): JSX.Element {
  return props.href === undefined ? (
    <span class="ui-pill">{props.children}</span>
  ) : (
    <a class="ui-pill" href={props.href}>
      {props.children}
    </a>
  )
}
