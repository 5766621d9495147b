import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import {
  type Cohort,
  type CohortDefinition,
  CohortDefinitionSchema,
} from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { cohortsClient } from '../../cohorts/cohort-list.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { createSettled } from '../../people/settled.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'

/** The people that are counted: those of a definition that is edited, or of a stored cohort. */
export type CountedPeople = { readonly definition: CohortDefinition } | { readonly cohort: Cohort }

/** People of the sample. */
const SAMPLE = 8

/** How many people are in the cohort now, and some of a stored one. */
export function CohortPeople(props: {
  readonly people: CountedPeople | undefined
  /** The stored cohort; absent for a new one. */
  readonly cohort: Cohort | undefined
}): JSX.Element {
  const workspace = useWorkspace()
  const key = createMemo(() => {
    const { people } = props
    if (!people) return ''
    if ('definition' in people) return `definition ${toJsonString(CohortDefinitionSchema, people.definition)}`
    return `cohort ${people.cohort.id} ${people.cohort.updateTime?.seconds}`
  })
  const settled = createSettled(key)
  const count = useQuery(() => {
    const text = settled()
    return {
      queryKey: ['cohort-count', workspace().project.id, text],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        Number((await cohortsClient.count({ of: ofKey(text) }, { signal })).users),
      enabled: text !== '',
      placeholderData: (before: number | undefined) => before,
    }
  })
  return (
    <aside class="cohorts-people">
      <Card title={t('cohorts.peopleNow')} isRefreshing={count.isPlaceholderData || settled() !== key()}>
        <Switch fallback={<SkeletonLines count={1} heightPx={44} />}>
          <Match when={key() === ''}>
            <p class="cohorts-number">–</p>
          </Match>
          <Match when={count.isError}>
            <ErrorState
              title={t('cohorts.countFailed')}
              error={count.error}
              onRetry={() => void count.refetch()}
            />
          </Match>
          <Match when={count.isSuccess}>
            <p class="cohorts-number" role="status">
              {formatNumber(count.data ?? 0)}
            </p>
          </Match>
        </Switch>
      </Card>
      <Show when={props.cohort}>{(cohort) => <Sample cohort={cohort()} />}</Show>
    </aside>
  )
}

function ofKey(
  key: string,
):
  | { readonly case: 'definition'; readonly value: CohortDefinition }
  | { readonly case: 'cohortId'; readonly value: string } {
  const [kind, rest = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
  if (kind === 'definition')
    return { case: 'definition', value: fromJsonString(CohortDefinitionSchema, rest) }
  return { case: 'cohortId', value: rest.slice(0, rest.indexOf(' ')) }
}

function Sample(props: { readonly cohort: Cohort }): JSX.Element {
  const workspace = useWorkspace()
  const members = useQuery(() => ({
    queryKey: [
      'cohort-members',
      workspace().project.id,
      props.cohort.id,
      String(props.cohort.updateTime?.seconds),
    ],
    queryFn: async () =>
      (await cohortsClient.listMembers({ cohortId: props.cohort.id, pageSize: SAMPLE })).distinctIds,
  }))
  const peopleHref = (): string =>
    `/p/${workspace().project.id}/people?cohort=${encodeURIComponent(props.cohort.id)}`
  const personHref = (id: string): string =>
    `/p/${workspace().project.id}/people/${encodeURIComponent(`user:${id}`)}`
  return (
    <Show when={members.isSuccess && members.data}>
      {(ids) => (
        <Card
          title={t('cohorts.members')}
          actions={
            <Show when={ids().length > 0}>
              <ButtonLink size="small" tone="ghost" href={peopleHref()}>
                {t('cohorts.showAll')}
              </ButtonLink>
            </Show>
          }
        >
          <Show when={ids().length > 0} fallback={<p>{t('cohorts.noMembers')}</p>}>
            <ul class="cohorts-sample">
              <For each={ids()}>
                {(id) => (
                  <li>
                    <a href={personHref(id)}>{id}</a>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        </Card>
      )}
    </Show>
  )
}
