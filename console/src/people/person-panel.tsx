import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { createActivityFeed } from './activity-feed.ts'
import { PersonAvatar } from './person-avatar.tsx'
import { PersonBadges } from './person-badges.tsx'
import { namePerson, personHref } from './person-name.ts'
import { PropertyList } from './property-list.tsx'
import { eventIdOf, readPerson } from './read-person.ts'
import { Timeline } from './timeline.tsx'

/** One person inside the drawer: name, properties and the newest activity. */
export function PersonPanel(props: { readonly reference: string }): JSX.Element {
  const workspace = useWorkspace()
  const person = useQuery(() => ({
    queryKey: ['person', workspace().project.id, props.reference],
    queryFn: async () => (await readPerson(props.reference)) ?? null,
  }))
  const known = (): Profile | undefined => (person.isSuccess ? person.data?.profile : undefined)
  return (
    <Switch fallback={<SkeletonLines count={8} heightPx={28} />}>
      <Match when={person.isError && person.error}>
        {(error) => (
          <div class="people-state">
            <ErrorState
              title={t('people.personFailed')}
              error={error()}
              onRetry={() => void person.refetch()}
            />
          </div>
        )}
      </Match>
      <Match when={known()}>{(profile) => <PanelBody profile={profile()} />}</Match>
    </Switch>
  )
}

function PanelBody(props: { readonly profile: Profile }): JSX.Element {
  const workspace = useWorkspace()
  const name = () => namePerson(props.profile)
  const feed = createActivityFeed(() => ({ distinctId: eventIdOf(props.profile), content: 'everything' }))
  const counts = (): string =>
    [
      t('people.sessionCount', { count: Number(props.profile.activity?.sessions ?? 0n) }),
      t('people.eventCount', { count: Number(props.profile.activity?.totalEvents ?? 0n) }),
    ].join(' \u00b7 ')
  return (
    <div class="people-panel">
      <header class="people-panel-head">
        <PersonAvatar id={eventIdOf(props.profile)} person={name()} size="large" />
        <div>
          <h3>{name().name}</h3>
          <Show when={!name().isAnonymous}>
            <p>{name().detail}</p>
          </Show>
          <PersonBadges profile={props.profile} />
          <p>{counts()}</p>
        </div>
      </header>
      <ButtonLink href={personHref(workspace().project.id, props.profile)}>
        {t('people.openPerson')}
      </ButtonLink>
      <Show when={Object.keys(props.profile.properties ?? {}).length > 0}>
        <section>
          <h4>{t('people.properties')}</h4>
          <PropertyList label={t('people.properties')} values={props.profile.properties ?? {}} />
        </section>
      </Show>
      <section>
        <h4>{t('people.timeline')}</h4>
        <Timeline feed={feed} open="newest" />
      </section>
    </div>
  )
}
