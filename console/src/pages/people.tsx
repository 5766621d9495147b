import { type JSX, Show } from 'solid-js'
import { RemountOnNavigation } from '../context/remount.tsx'
import { PeopleList } from './people/people-list.tsx'
import { PersonPage } from './people/person-page.tsx'

/** The list of people, or one person. */
export function PeoplePage(props: { readonly rest: string }): JSX.Element {
  return (
    <Show
      when={props.rest}
      keyed
      fallback={
        <RemountOnNavigation>
          <PeopleList />
        </RemountOnNavigation>
      }
    >
      {(reference) => <PersonPage reference={reference} />}
    </Show>
  )
}
