import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { cohortsClient } from '../../cohorts/cohort-list.ts'
import '../../cohorts/messages.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Pill } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { cohortHref } from '../cohorts/cohort-address.ts'

/** The cohorts that a person is in; nothing until they are known. */
export function CohortsCard(props: { readonly distinctId: string }): JSX.Element {
  const workspace = useWorkspace()
  const cohorts = useQuery(() => ({
    queryKey: ['cohorts-of', workspace().project.id, props.distinctId],
    queryFn: async () => (await cohortsClient.listOfUser({ distinctId: props.distinctId })).cohorts,
  }))
  return (
    <Show when={cohorts.isSuccess && cohorts.data}>
      {(list) => (
        <Card title={t('cohorts.ofPerson')}>
          <Show when={list().length > 0} fallback={<p class="person-quiet">{t('cohorts.ofPersonNone')}</p>}>
            <div class="people-badges">
              <For each={list()}>
                {({ id, name }) => <Pill href={cohortHref(workspace().project.id, id)}>{name}</Pill>}
              </For>
            </div>
          </Show>
        </Card>
      )}
    </Show>
  )
}
