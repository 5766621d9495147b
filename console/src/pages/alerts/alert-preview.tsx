import { create } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  ThresholdRule_Operator as RuleOperator,
  type ThresholdRule,
  ThresholdRuleSchema,
  ThresholdRule_Tone as Tone,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import {
  type AlertContent,
  AlertCondition_Operator as Operator,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import type { AlertsServicePreviewResponse } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import type { ValueUnit } from '@domain/alerts/value-unit.ts'
import type { BucketWidth } from '@domain/charts/buckets.ts'
import { useQuery } from '@tanstack/solid-query'
import { createEffect, createSignal, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { TimeSeries } from '../../charts/time-series.tsx'
import { useWorkspace } from '../../context/workspace.ts'
import { formatRange } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState, ErrorState, SkeletonChart } from '../../ui/states.tsx'
import { type AlertDraft, encodeAlert } from './alert-draft.ts'
import { alertsClient, alertsKey } from './alert-list.ts'
import { chartUnitOf, describeRule, hasNumber } from './alert-words.ts'
import './messages.ts'

/** The preview runs this long after the last change. */
const SETTLE_MS = 400

const CHART_HEIGHT_PX = 240

const WIDTHS = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
} as const satisfies Record<AlertDraft['cadence'], BucketWidth>

/** The checks that an alert would have had, on a chart with its limit. */
export function AlertPreview(props: {
  readonly draft: AlertDraft
  readonly valueUnit: ValueUnit
}): JSX.Element {
  const workspace = useWorkspace()
  const [content, setContent] = createSignal<AlertContent | undefined>(contentOf(props.draft))
  createEffect(() => {
    const next = contentOf(props.draft)
    const timer = setTimeout(() => setContent(next), SETTLE_MS)
    onCleanup(() => clearTimeout(timer))
  })
  const preview = useQuery(() => {
    const asked = content()
    return {
      queryKey: [...alertsKey(workspace().project.id), 'preview', asked],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        await alertsClient.preview(asked ? { content: asked } : {}, { signal }),
      enabled: asked !== undefined,
      placeholderData: (before: AlertsServicePreviewResponse | undefined) => before,
      structuralSharing: false,
    }
  })
  return (
    <Card title={t('alerts.preview')} isRefreshing={preview.isFetching && preview.isSuccess}>
      <Switch fallback={<SkeletonChart />}>
        <Match when={content() === undefined}>
          <EmptyState title={t('alerts.previewNone')} />
        </Match>
        <Match when={preview.isError && preview.error}>
          {(failure) => (
            <ErrorState
              title={t('alerts.previewFailed')}
              error={failure()}
              onRetry={() => void preview.refetch()}
            />
          )}
        </Match>
        <Match when={preview.isSuccess && preview.data}>
          {(answer) => (
            <PreviewChart
              answer={unwrap(answer())}
              draft={props.draft}
              valueUnit={props.valueUnit}
              content={content()}
            />
          )}
        </Match>
      </Switch>
    </Card>
  )
}

/** What decides the answer: names and channels have no effect. */
function contentOf(draft: AlertDraft): AlertContent | undefined {
  return encodeAlert({ ...draft, name: '-', note: '', channelIds: [], quiet: undefined, paused: false })
}

function PreviewChart(props: {
  readonly answer: AlertsServicePreviewResponse
  readonly draft: AlertDraft
  readonly valueUnit: ValueUnit
  readonly content: AlertContent | undefined
}): JSX.Element {
  const workspace = useWorkspace()
  const range = (): string => {
    const { from, to } = props.answer
    if (!from || !to) return ''
    return formatRange({ fromMs: timestampMs(from), toMs: timestampMs(to) }, workspace().timeZone)
  }
  const timed = () => props.answer.checks.filter(({ from }) => from !== undefined)
  const label = (): string => describeRule(props.draft.rule, props.draft.amount, props.valueUnit)
  return (
    <>
      <p class="alerts-fired">
        <strong>{t('alerts.wouldHave', { count: props.answer.firedCount })}</strong>
        <span class="alerts-quiet">{range()}</span>
      </p>
      <TimeSeries
        times={timed().map(({ from }) => (from ? timestampMs(from) : 0))}
        series={[
          {
            label: label(),
            values: timed().map(({ outcome, observed }) => (hasNumber(outcome) ? observed : null)),
          },
        ]}
        style="line"
        bucket={WIDTHS[props.draft.cadence]}
        timeZone={workspace().timeZone}
        unit={chartUnitOf(props.draft.rule, props.valueUnit)}
        rules={rulesOf(props.content)}
        legend="hidden"
        height={CHART_HEIGHT_PX}
      />
      <Show when={props.answer.checks.find(({ error }) => error !== '')}>
        {(check) => <p class="alerts-error">{check().error}</p>}
      </Show>
    </>
  )
}

/** The limit as a line, with the side on which the alert fires. */
function rulesOf(content: AlertContent | undefined): readonly ThresholdRule[] {
  const condition = content?.condition
  if (!condition) return []
  const operator = condition.operator === Operator.ABOVE ? RuleOperator.GT : RuleOperator.LT
  return [create(ThresholdRuleSchema, { operator, value: condition.threshold, tone: Tone.BAD })]
}
