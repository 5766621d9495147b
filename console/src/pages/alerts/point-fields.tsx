import { create } from '@bufbuild/protobuf'
import {
  type AlertPoint,
  AlertPointSchema,
  AlertFunnelPoint_Measure as Measure,
} from '@contract/millrace/alerts/v1/alert_pb.js'
import { LifecycleState } from '@contract/millrace/insights/v1/lifecycle_pb.js'
import { type InsightQuerySpec, InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { describeLines } from '../../dashboards/describe-tile.ts'
import { eventLabel, stateLabel } from '../../format/labels.ts'
import { t } from '../../i18n/translate.ts'
import { Select } from '../../ui/combobox.tsx'
import { Checkbox, Input } from '../../ui/input.tsx'
import './messages.ts'

type Kind = Exclude<AlertPoint['kind'], { case: undefined }>
type ValueOf<Case extends Kind['case']> = Extract<Kind, { case: Case }>['value']

interface PointProps {
  readonly spec: InsightQuerySpec
  readonly point: AlertPoint
  readonly onChange: (point: AlertPoint) => void
}

/** The fields that choose a number of an insight; none where it has only one. */
export function PointFields(props: PointProps): JSX.Element {
  const value = <Case extends Kind['case']>(name: Case): ValueOf<Case> | undefined => {
    const { kind } = props.point
    return (kind.case === name ? kind.value : undefined) as ValueOf<Case> | undefined
  }
  const put = <Case extends Kind['case']>(name: Case, part: Partial<ValueOf<Case>>): void => {
    const kind = { case: name, value: { ...value(name), ...part } } as unknown as Kind
    props.onChange(create(AlertPointSchema, { kind }))
  }
  return (
    <>
      <Switch>
        <Match when={value('series')}>
          {(point) => (
            <SeriesField
              spec={props.spec}
              series={point().series}
              onChange={(series) => put('series', { series })}
            />
          )}
        </Match>
        <Match when={value('funnel')}>
          {(point) => (
            <FunnelFields spec={props.spec} point={point()} onChange={(part) => put('funnel', part)} />
          )}
        </Match>
        <Match when={value('retention')}>
          {(point) => (
            <NumberField
              label={t('alerts.period')}
              hint={t('alerts.periodHint')}
              value={point().period}
              min={0}
              onChange={(period) => put('retention', { period })}
            />
          )}
        </Match>
        <Match when={value('lifecycle')}>
          {(point) => (
            <Select
              label={t('alerts.people')}
              options={LIFECYCLE_STATES.map((state) => ({ value: String(state), label: stateLabel(state) }))}
              value={String(point().state)}
              onChange={(state) => put('lifecycle', { state: Number(state) as LifecycleState })}
            />
          )}
        </Match>
        <Match when={value('stickiness')}>
          {(point) => (
            <StickinessFields
              spec={props.spec}
              point={point()}
              onChange={(part) => put('stickiness', part)}
            />
          )}
        </Match>
        <Match when={value('row')}>
          {(point) => (
            <>
              <Input
                label={t('alerts.value')}
                value={point().value}
                readOnly={point().others}
                onInput={(text) => put('row', { value: text })}
              />
              <Show when={props.spec.insightType === InsightType.TOP_K}>
                <Checkbox
                  label={t('alerts.others')}
                  isChecked={point().others}
                  onChange={(others) => put('row', { others, ...(others && { value: '' }) })}
                />
              </Show>
            </>
          )}
        </Match>
      </Switch>
      <Show when={value('series') ?? value('funnel') ?? value('retention')}>
        {(point) => (
          <BreakdownFields
            properties={props.spec.breakdowns.map(({ property }) => property)}
            breakdown={point().breakdown}
            others={point().others}
            onChange={(part) => {
              const name = props.point.kind.case
              if (name === 'series' || name === 'funnel' || name === 'retention') put(name, part)
            }}
          />
        )}
      </Show>
    </>
  )
}

const LIFECYCLE_STATES = [
  LifecycleState.NEW,
  LifecycleState.RETURNING,
  LifecycleState.RESURRECTED,
  LifecycleState.DORMANT,
] as const

function SeriesField(props: {
  readonly spec: InsightQuerySpec
  readonly series: number
  readonly onChange: (series: number) => void
}): JSX.Element {
  const lines = () => describeLines(props.spec)
  return (
    <Show when={lines().length > 1}>
      <Select
        label={t('alerts.number')}
        options={lines().map((label, at) => ({ value: String(at), label }))}
        value={String(props.series)}
        onChange={(series) => props.onChange(Number(series))}
      />
    </Show>
  )
}

const MEASURES = [
  [Measure.RATE_FROM_FIRST, 'alerts.funnelFirst'],
  [Measure.RATE_FROM_PREVIOUS, 'alerts.funnelPrevious'],
  [Measure.TOTAL, 'alerts.funnelTotal'],
] as const

function FunnelFields(props: {
  readonly spec: InsightQuerySpec
  readonly point: ValueOf<'funnel'>
  readonly onChange: (part: Partial<ValueOf<'funnel'>>) => void
}): JSX.Element {
  return (
    <>
      <Select
        label={t('alerts.number')}
        options={MEASURES.map(([measure, name]) => ({ value: String(measure), label: t(name) }))}
        value={String(props.point.measure)}
        onChange={(measure) => props.onChange({ measure: Number(measure) as Measure })}
      />
      <Select
        label={t('alerts.step')}
        options={props.spec.events.map(({ event }, at) => ({
          value: String(at + 1),
          label: t('alerts.stepNumber', { number: at + 1, event: eventLabel(event?.kind ?? '') }),
        }))}
        value={String(props.point.step)}
        onChange={(step) => props.onChange({ step: Number(step) })}
      />
    </>
  )
}

function StickinessFields(props: {
  readonly spec: InsightQuerySpec
  readonly point: ValueOf<'stickiness'>
  readonly onChange: (part: Partial<ValueOf<'stickiness'>>) => void
}): JSX.Element {
  return (
    <>
      <SeriesField
        spec={props.spec}
        series={props.point.series}
        onChange={(series) => props.onChange({ series })}
      />
      <NumberField
        label={t('alerts.active')}
        value={props.point.buckets}
        min={1}
        onChange={(buckets) => props.onChange({ buckets })}
      />
      <Checkbox
        label={t('alerts.orMore')}
        isChecked={props.point.cumulative}
        onChange={(cumulative) => props.onChange({ cumulative })}
      />
    </>
  )
}

function BreakdownFields(props: {
  readonly properties: readonly string[]
  readonly breakdown: Readonly<Record<string, string>>
  readonly others: boolean
  readonly onChange: (part: {
    readonly breakdown?: Record<string, string>
    readonly others?: boolean
  }) => void
}): JSX.Element {
  const textOf = (property: string): string => props.breakdown[property] ?? ''
  const withValue = (property: string, text: string): Record<string, string> =>
    Object.fromEntries(props.properties.map((name) => [name, name === property ? text : textOf(name)]))
  return (
    <Show when={props.properties.length > 0}>
      <For each={props.properties}>
        {(property) => (
          <Input
            label={t('alerts.valueOf', { property })}
            value={textOf(property)}
            readOnly={props.others}
            onInput={(text) => props.onChange({ breakdown: withValue(property, text) })}
          />
        )}
      </For>
      <Checkbox
        label={t('alerts.others')}
        isChecked={props.others}
        onChange={(others) => props.onChange({ others, breakdown: others ? {} : withValue('', '') })}
      />
    </Show>
  )
}

/** The largest period, as the service allows it. */
const PERIOD_MAX = 90

function NumberField(props: {
  readonly label: string
  readonly hint?: string
  readonly value: number
  readonly min: number
  readonly onChange: (value: number) => void
}): JSX.Element {
  return (
    <Input
      label={props.label}
      hint={props.hint}
      type="number"
      min={props.min}
      max={PERIOD_MAX}
      value={props.value}
      onChange={(text) => {
        const value = Math.trunc(Number(text))
        if (value >= props.min && value <= PERIOD_MAX) props.onChange(value)
      }}
    />
  )
}
