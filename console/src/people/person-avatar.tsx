import User from 'lucide-solid/icons/user'
import { type JSX, Show } from 'solid-js'
import { Avatar } from '../ui/avatar.tsx'
import type { PersonName } from './person-name.ts'

/** The initials of a person; an icon for an anonymous one. */
export function PersonAvatar(props: {
  readonly id: string
  readonly person: PersonName
  readonly size?: 'normal' | 'large'
}): JSX.Element {
  return (
    <Show
      when={props.person.isAnonymous}
      fallback={<Avatar id={props.id} name={props.person.name} {...(props.size && { size: props.size })} />}
    >
      <span class="people-anonymous" data-size={props.size} aria-hidden="true">
        <User />
      </span>
    </Show>
  )
}
