import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createMemo, For, type JSX, Match, Switch } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatDay, formatNumber, formatShortMonth, formatWeekdayName } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { toTimeRange } from '../../insights/period.ts'
import { clientOf } from '../../rpc/client.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import './activity-card.css'
import { heatRange, heatWeeks } from './heat-days.ts'

const activityClient = clientOf(ActivityService)

/** Rows of the heat map that have a name. */
const NAMED_WEEKDAYS = [0, 2, 4] as const
/** A Monday. */
const SOME_MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

/** Events on each day of the last 12 months. */
export function ActivityCard(props: { readonly distinctId: string }): JSX.Element {
  const workspace = useWorkspace()
  const heat = useQuery(() => ({
    queryKey: ['person-heat', workspace().project.id, props.distinctId],
    queryFn: async () => {
      const timeRange = toTimeRange(heatRange(Date.now()))
      const { days } = await activityClient.getActivityHeatmap({ distinctId: props.distinctId, timeRange })
      return days
    },
  }))
  const counts = createMemo(
    () => new Map((heat.isSuccess ? heat.data : []).map(({ date, count }) => [date, Number(count)])),
  )
  const sum = (): number => [...counts().values()].reduce((total, count) => total + count, 0)
  return (
    <Card
      title={t('people.activity')}
      actions={
        <span class="activity-sum">{heat.isSuccess ? t('people.activitySum', { count: sum() }) : ''}</span>
      }
    >
      <Switch fallback={<SkeletonLines count={5} heightPx={18} />}>
        <Match when={heat.isError && heat.error}>
          {(error) => (
            <ErrorState
              title={t('people.personFailed')}
              error={error()}
              onRetry={() => void heat.refetch()}
            />
          )}
        </Match>
        <Match when={heat.isSuccess}>
          <HeatGrid counts={counts()} timeZone={workspace().timeZone} />
        </Match>
      </Switch>
    </Card>
  )
}

function HeatGrid(props: {
  readonly counts: ReadonlyMap<string, number>
  readonly timeZone: string
}): JSX.Element {
  const weeks = createMemo(() => heatWeeks(props.counts, { nowMs: Date.now(), timeZone: props.timeZone }))
  const summary = (): string =>
    t('people.activitySummary', { days: props.counts.size, max: Math.max(0, ...props.counts.values()) })
  const msOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
  return (
    <>
      <div class="activity-scroll" tabindex="0" role="img" aria-label={summary()}>
        <div class="activity-grid" aria-hidden="true">
          <For each={NAMED_WEEKDAYS}>
            {(day) => (
              <span class="activity-weekday" style={{ 'grid-row': `${day + 2}` }}>
                {formatWeekdayName(SOME_MONDAY + day * DAY_MS, 'UTC')}
              </span>
            )}
          </For>
          <For each={weeks()}>
            {({ days, monthStart }, week) => (
              <>
                {monthStart !== undefined && (
                  <span class="activity-month" style={{ 'grid-column': `${week() + 2} / span 4` }}>
                    {formatShortMonth(msOf(monthStart), 'UTC')}
                  </span>
                )}
                <For each={days}>
                  {({ date, count, level }, day) => (
                    <span
                      class="activity-day"
                      data-level={level}
                      data-tip={`${formatDay(msOf(date), 'UTC')}: ${formatNumber(count)}`}
                      style={{ 'grid-area': `${day() + 2} / ${week() + 2}` }}
                    />
                  )}
                </For>
              </>
            )}
          </For>
        </div>
      </div>
      <p class="activity-scale" aria-hidden="true">
        {t('people.less')}
        <For each={[0, 1, 2, 3, 4, 5]}>{(level) => <span class="activity-day" data-level={level} />}</For>
        {t('people.more')}
      </p>
    </>
  )
}
