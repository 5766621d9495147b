import { GoalsService } from '@contract/millrace/web/v1/goals_service_pb.js'
import { Dimension, type WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { useQueryClient } from '@tanstack/solid-query'
import Plus from 'lucide-solid/icons/plus'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { useMay } from '../../context/workspace.ts'
import { formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { createAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Delta } from '../../ui/delta.tsx'
import { lazy } from '../../ui/lazy.ts'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { changeOfValue, writeCount, writePercent } from './metrics.ts'
import { useTable, useView } from './overview-view.ts'

const GoalDialog = lazy(async () => ({ default: (await import('../goals/goal-dialog.tsx')).GoalDialog }))

const goalsClient = clientOf(GoalsService)

/** As many as a project may have. */
const GOALS_MAX = 100

/** The goals of the project with their conversions. */
export function GoalsPanel(): JSX.Element {
  const view = useView()
  const may = useMay()
  const queries = useQueryClient()
  const deletion = createAction()
  const [isOpen, setOpen] = createSignal(false)
  const table = useTable(view, () => ({
    dimension: Dimension.GOAL,
    limit: GOALS_MAX,
    compare: 'as the page',
  }))
  const reload = (): void =>
    void queries.invalidateQueries({ queryKey: ['web-table', view.projectId(), Dimension.GOAL] })
  const remove = (row: WebTableRow): void =>
    deletion.run(async () => {
      await goalsClient.delete({ id: row.goalId })
      reload()
    })
  return (
    <Card
      class="overview-goals"
      title={t('overview.goals')}
      padding="none"
      isRefreshing={table.isOld()}
      actions={
        <Show when={may(GoalsService.method.create)}>
          <Button size="small" icon={<Plus />} onClick={() => setOpen(true)}>
            {t('overview.goalNew')}
          </Button>
        </Show>
      }
    >
      <Show when={deletion.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Switch fallback={<SkeletonLines count={3} />}>
        <Match when={table.failure()}>
          {(failure) => <ErrorState title={t('overview.failed')} error={failure()} onRetry={table.retry} />}
        </Match>
        <Match when={table.answer()?.rows.length === 0}>
          <EmptyState title={t('overview.goalNone')} />
        </Match>
        <Match when={table.answer()}>
          {(answer) => (
            <Table
              label={t('overview.goals')}
              rows={answer().rows}
              columns={goalColumns(may(GoalsService.method.delete) ? remove : undefined)}
            />
          )}
        </Match>
      </Switch>
      <Suspense>
        <Show when={isOpen()}>
          <GoalDialog onClose={() => setOpen(false)} onSaved={reload} />
        </Show>
      </Suspense>
    </Card>
  )
}

function goalColumns(
  remove: ((row: WebTableRow) => void) | undefined,
): readonly Column<WebTableRow, string>[] {
  return [
    { key: 'goal', title: t('overview.goal'), kind: 'wide', cell: ({ value }) => value },
    {
      key: 'completions',
      title: t('overview.goalCompletions'),
      kind: 'number',
      cell: ({ conversions }) => writeCount(conversions),
    },
    {
      key: 'visitors',
      title: t('overview.goalVisitors'),
      kind: 'number',
      cell: ({ metrics }) => writeCount(metrics?.visitors ?? 0),
    },
    {
      key: 'rate',
      title: t('overview.goalRate'),
      kind: 'number',
      cell: ({ conversionRate }) => (
        <span class="goal-rate">
          <span class="goal-track" aria-hidden="true">
            <span class="goal-bar" style={{ width: `${Math.min(100, conversionRate)}%` }} />
          </span>
          {writePercent(conversionRate)}
        </span>
      ),
    },
    {
      key: 'change',
      title: t('overview.goalChange'),
      kind: 'number',
      cell: ({ conversionRate, comparison }) =>
        comparison ? (
          <Delta {...changeOfValue(conversionRate, comparison.conversionRate, { unit: 'pp' })} />
        ) : (
          '—'
        ),
    },
    {
      key: 'value',
      title: t('overview.goalValue'),
      kind: 'number',
      cell: ({ goalValue }) => (goalValue === 0 ? '—' : formatNumber(goalValue)),
    },
    ...(remove
      ? [
          {
            key: 'delete',
            title: '',
            cell: (row: WebTableRow) => (
              <IconButton
                tone="ghost"
                size="small"
                name={t('overview.goalDelete', { name: row.value })}
                onClick={() => remove(row)}
              >
                <Trash />
              </IconButton>
            ),
          },
        ]
      : []),
  ]
}
