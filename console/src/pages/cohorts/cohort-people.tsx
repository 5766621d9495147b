import { useQuery } from '@tanstack/solid-query'
import { createMemo, type JSX, Match, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { createSettled } from '../../people/settled.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { DefinitionDraft } from './cohort-draft.ts'
import { type CountedPeople, countQuery, keyOfPeople } from './count-people.ts'
import { CountedConditions } from './counted-conditions.tsx'

/** The number of people that are in the cohort now, and after each of its conditions. */
export function CohortPeople(props: {
  readonly people: CountedPeople | undefined
  /** Absent for a cohort without conditions, or with some that the editor does not have. */
  readonly draft: DefinitionDraft | undefined
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
          <p class="cohorts-number" role="status">
            {formatNumber(count.data ?? 0)}
          </p>
        </Match>
      </Switch>
      <CountedConditions draft={props.draft} />
    </Card>
  )
}
