import { type JSX, Show } from 'solid-js'
import { RemountOnNavigation } from '../context/remount.tsx'
import { lazy } from '../ui/lazy.ts'
import { isAboutCohorts, parseCohortRest } from './cohorts/cohort-address.ts'
import { PeopleList } from './people/people-list.tsx'
import { PersonPage } from './people/person-page.tsx'

const Cohorts = lazy(async () => ({ default: (await import('./cohorts/cohorts.tsx')).Cohorts }))

/** The list of people, one person, or their cohorts. */
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
      {(rest) =>
        isAboutCohorts(rest) ? <Cohorts opened={parseCohortRest(rest)} /> : <PersonPage reference={rest} />
      }
    </Show>
  )
}
