import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { namePerson, personHref } from '../../people/person-name.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { samplePeople } from '../people/people-query.ts'

/** Some people of a stored cohort. */
export function CohortSample(props: { readonly cohort: Cohort }): JSX.Element {
  const workspace = useWorkspace()
  const projectId = (): string => workspace().project.id
  const sample = useQuery(() => {
    const { id, updateTime } = props.cohort
    return {
      queryKey: ['cohort-sample', projectId(), id, String(updateTime?.seconds)],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => await samplePeople(id, signal),
    }
  })
  return (
    <Show when={sample.isSuccess && sample.data}>
      {(people) => (
        <Card
          title={t('cohorts.members')}
          actions={
            <Show when={people().matching > 0}>
              <ButtonLink
                size="small"
                tone="ghost"
                href={`/p/${projectId()}/people?cohort=${encodeURIComponent(props.cohort.id)}`}
              >
                {t('cohorts.showAll', { count: formatNumber(people().matching) })}
              </ButtonLink>
            </Show>
          }
        >
          <Show when={people().profiles.length > 0} fallback={<p>{t('cohorts.noMembers')}</p>}>
            <ul class="cohorts-sample">
              <For each={people().profiles}>
                {(profile) => <Person profile={profile} href={personHref(projectId(), profile)} />}
              </For>
            </ul>
          </Show>
        </Card>
      )}
    </Show>
  )
}

function Person(props: { readonly profile: Profile; readonly href: string }): JSX.Element {
  const name = () => namePerson(props.profile)
  return (
    <li>
      <PersonAvatar id={props.profile.id} person={name()} />
      <a href={props.href}>
        <bdi>{name().name}</bdi>
      </a>
      <span>{name().detail}</span>
    </li>
  )
}
