import type { JSX } from 'solid-js'
import './avatar.css'
import { avatarColor, initialsOf } from './initials.ts'

/** Initials on a soft ground beside a name, which screen readers read instead. */
export function Avatar(props: {
  readonly id: string
  readonly name: string
  readonly size?: 'normal' | 'large'
}): JSX.Element {
  return (
    <span class="ui-avatar" data-color={avatarColor(props.id)} data-size={props.size} aria-hidden="true">
      {initialsOf(props.name) || '?'}
    </span>
  )
}
