import './messages.ts'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { LifecycleSeries } from '@contract/shared/insights/v1/lifecycle_result_pb.js'
import type { FunnelSeries } from '@contract/shared/insights/v1/query_result_pb.js'
import { widthOfBuckets } from '@domain/charts/buckets.ts'
import { describeBucket } from '../charts/buckets.ts'
import type { ChartTarget } from '../charts/chart.ts'
import { eventLabel, nodeLabel, seriesLabel, stateLabel } from '../format/labels.ts'
import { formatCountry } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import type { PeopleSource } from './people-context.ts'

type Series = { readonly breakdown: Readonly<Record<string, string>> }

/** The people behind a part of an answer in a few words. */
export function nameTarget(target: ChartTarget, { result, request }: PeopleSource, timeZone: string): string {
  switch (result.case) {
    case 'trends':
      return nameSeries(target, result.value.series, timeZone)
    case 'funnel':
      return nameFunnel(target, result.value.series, timeZone)
    case 'retention':
      return target.kind === 'cell' ? nameCell(target, result.value.series, timeZone) : t('people.title')
    case 'lifecycle':
      return nameState(target, result.value.series, timeZone)
    case 'stickiness':
      return target.kind === 'activity' ? nameActivity(target, result.value.series) : t('people.title')
    case 'userFlow':
      return nameFlow(target, result.value.nodes)
    case 'topK':
      if (target.kind !== 'row') return t('people.title')
      if (target.isOthers) return t('people.ofOther')
      return t('people.ofValue', { value: nameValue(target.value, request.spec?.map !== undefined) })
    default:
      return t('people.ofNumber')
  }
}

function nameValue(value: string, isCountry: boolean): string {
  if (value === '') return t('common.notSet')
  return isCountry ? formatCountry(value) : value
}

function nameSeries(
  target: ChartTarget,
  all: readonly (Series & {
    readonly eventKind: string
    readonly points: readonly { readonly time?: Parameters<typeof timestampMs>[0] | undefined }[]
  })[],
  timeZone: string,
): string {
  if (target.kind !== 'point' && target.kind !== 'total') return t('people.title')
  const one = all[target.series]
  const value = one ? seriesLabel(one) : ''
  if (target.kind === 'total') return t('people.ofValue', { value })
  const starts = one?.points.map(({ time }) => (time ? timestampMs(time) : 0)) ?? []
  const time = describeBucket(target.startMs, { width: widthOfBuckets(starts), timeZone })
  return t('people.ofValueAt', { value, time })
}

function nameFunnel(target: ChartTarget, all: readonly FunnelSeries[], timeZone: string): string {
  if (target.kind === 'step') return nameStep(target, all)
  if (target.kind !== 'point') return t('people.title')
  const one = all[target.series]
  const starts = one?.overTime.map(({ time }) => (time ? timestampMs(time) : 0)) ?? []
  const time = describeBucket(target.startMs, { width: widthOfBuckets(starts), timeZone })
  return t('insights.peopleConverted', { time })
}

function nameStep(
  { step, part, series }: Extract<ChartTarget, { kind: 'step' }>,
  all: readonly (Series & { readonly steps: readonly { readonly eventKind: string }[] })[],
): string {
  const one = all[series]
  const eventAt = (at: number): string => eventLabel(one?.steps[at]?.eventKind ?? '')
  const isSplit = Object.keys(one?.breakdown ?? {}).length > 0
  const group = isSplit && one ? ` \u00b7 ${seriesLabel({ breakdown: one.breakdown })}` : ''
  if (part === 'dropped') return t('people.dropped', { step: eventAt(step - 1) }) + group
  return t(step === 0 ? 'people.entered' : 'people.reached', { step: eventAt(step) }) + group
}

function nameCell(
  { series, cohort, period, part }: Extract<ChartTarget, { kind: 'cell' }>,
  all: readonly (Series & { readonly cohorts: readonly { readonly cohort: string }[] })[],
  timeZone: string,
): string {
  const starts = all[series]?.cohorts.map((one) => Date.parse(one.cohort)) ?? []
  const start = describeBucket(Date.parse(cohort), { width: widthOfBuckets(starts), timeZone })
  return t(part === 'absent' ? 'people.absent' : 'people.returned', { start, period })
}

function nameState(
  target: ChartTarget,
  all: readonly Pick<LifecycleSeries, 'state' | 'points'>[],
  timeZone: string,
): string {
  const one = target.kind === 'point' ? all[target.series] : undefined
  if (target.kind !== 'point' || !one) return t('people.title')
  const starts = one.points.map(({ time }) => (time ? timestampMs(time) : 0))
  const time = describeBucket(target.startMs, { width: widthOfBuckets(starts), timeZone })
  return t('people.ofValueAt', { value: stateLabel(one.state), time })
}

function nameActivity(
  { series, buckets, orMore }: Extract<ChartTarget, { kind: 'activity' }>,
  all: readonly { readonly eventKind: string }[],
): string {
  const name = t(orMore ? 'insights.activeOrMore' : 'insights.activeIn', { count: buckets })
  return all.length > 1 ? `${name} \u00b7 ${eventLabel(all[series]?.eventKind ?? '')}` : name
}

function nameFlow(
  target: ChartTarget,
  nodes: readonly {
    readonly id: string
    readonly label: string
    readonly isOthers: boolean
    readonly depth: number
  }[],
): string {
  const nameOf = (id: string): string => {
    const node = nodes.find((one) => one.id === id)
    return node ? nodeLabel(node) : id
  }
  if (target.kind === 'node') return t('people.through', { node: nameOf(target.id) })
  if (target.kind !== 'link') return t('people.title')
  return t('people.along', { source: nameOf(target.source), target: nameOf(target.target) })
}
