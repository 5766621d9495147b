import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, type JSX, Match, Show, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber, formatShare, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { createSettled } from '../../people/settled.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { countAllPeople } from '../people/people-query.ts'
import type { DefinitionDraft } from './cohort-draft.ts'
import { CohortTrend } from './cohort-trend.tsx'
import { type CountedPeople, countQuery, keyOfPeople } from './count-people.ts'
import { CountedConditions } from './counted-conditions.tsx'

/** The number of people that are in the cohort now, and after each of its conditions. */
export function CohortPeople(props: {
  readonly people: CountedPeople | undefined
  /** Absent for a cohort without conditions, or with some that the editor does not have. */
  readonly draft: DefinitionDraft | undefined
  /** Absent for a new one. */
  readonly cohort: Cohort | undefined
}): JSX.Element {
  const workspace = useWorkspace()
  const key = createMemo(() => (props.people ? keyOfPeople(props.people) : ''))
  const settled = createSettled(key)
  const count = useQuery(() => ({
    ...countQuery(workspace().project.id, settled()),
    enabled: settled() !== '',
    placeholderData: (before: number | undefined) => before,
  }))
  return (
    <Card title={t('cohorts.peopleNow')} isRefreshing={count.isPlaceholderData || settled() !== key()}>
      <Switch fallback={<SkeletonLines count={1} heightPx={44} />}>
        <Match when={key() === ''}>
          <p class="cohorts-number">{NO_VALUE}</p>
        </Match>
        <Match when={count.isError}>
          <ErrorState
            title={t('cohorts.countFailed')}
            error={count.error}
            onRetry={() => void count.refetch()}
          />
        </Match>
        <Match when={count.isSuccess}>
          <div class="cohorts-now">
            <p class="cohorts-number" role="status">
              {formatNumber(count.data ?? 0)}
            </p>
            <ShareOfAll people={count.data ?? 0} />
          </div>
        </Match>
      </Switch>
      <Show when={props.cohort}>{(cohort) => <CohortTrend cohort={cohort()} />}</Show>
      <CountedConditions draft={props.draft} />
    </Card>
  )
}

/** The share of all people of the project. */
function ShareOfAll(props: { readonly people: number }): JSX.Element {
  const workspace = useWorkspace()
  const all = useQuery(() => ({
    queryKey: ['people-total', workspace().project.id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => await countAllPeople(signal),
  }))
  const total = (): number => (all.isSuccess ? all.data : 0)
  return (
    <Show when={total() > 0}>
      <p class="cohorts-share">
        {t('cohorts.share', { share: formatShare(props.people / total()), total: formatNumber(total()) })}
      </p>
    </Show>
  )
}
