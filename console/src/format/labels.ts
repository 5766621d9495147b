import type { LifecycleState } from '@contract/millrace/insights/v1/lifecycle_pb.js'
import type { TopKRow } from '@contract/shared/insights/v1/query_result_pb.js'
import { decodeKindName } from '@domain/kind-name.ts'
import { type MessageKey, type NameKey, t } from '../i18n/translate.ts'
import { cohortLabel } from './cohort-names.ts'

/** The parts of a series that its label is made of. */
interface LabelledSeries {
  /** Empty for all events; absent where the events have no label. */
  readonly eventKind?: string
  /** The expression of a formula; empty for other series. */
  readonly formula?: string
  /** The name of a formula. */
  readonly label?: string
  readonly breakdown: Readonly<Record<string, string>>
}

/** The label of a series: its event or formula, and its breakdown values. */
export function seriesLabel(series: LabelledSeries): string {
  const values = Object.entries(series.breakdown).map(
    ([key, value]) => cohortLabel(key, value) ?? breakdownLabel(value),
  )
  const parts = [subjectLabel(series), ...values].filter((part) => part !== '')
  return parts.length === 0 ? t('chart.all') : parts.join(' · ')
}

function subjectLabel({ eventKind, formula, label }: LabelledSeries): string {
  if (formula) return label || formula
  if (eventKind === '') return t('chart.allEvents')
  return eventKind === '$session' ? t('chart.sessions') : decodeKindName(eventKind ?? '')
}

function breakdownLabel(value: string): string {
  if (value === '') return t('common.notSet')
  return value === '$others' ? t('chart.other') : value
}

/** The label of an event in a funnel step. */
export function eventLabel(kind: string): string {
  return kind === '' ? t('chart.allEvents') : decodeKindName(kind)
}

// By number: the enum itself would bring its messages into the first load.
const STATE_NAMES = {
  0: 'chart.other',
  1: 'insights.newPeople',
  2: 'insights.returning',
  3: 'insights.resurrected',
  4: 'insights.dormant',
} as const satisfies Record<LifecycleState, NameKey>

/** The label of a state of a lifecycle; a page of insights has the messages. */
export function stateLabel(state: LifecycleState): string {
  return t(STATE_NAMES[state])
}

/** The label of a node of a user flow, with its position from 1. A value that is the kind of a name shows the name. */
export function nodeLabel(node: {
  readonly label: string
  readonly isOthers: boolean
  readonly depth: number
}): string {
  return `${node.depth + 1}. ${node.isOthers ? t('chart.other') : decodeKindName(node.label)}`
}

/** The label of a row of a ranking; a kind shows its name. */
export function rowLabel({ dimensionValue, isOthers, profile }: TopKRow): string {
  if (isOthers) return t('chart.other')
  const name = profile?.properties?.name
  if (typeof name === 'string' && name !== '') return `${name} (${dimensionValue})`
  return dimensionValue === '' ? t('common.notSet') : decodeKindName(dimensionValue)
}

const DEVICE_NAMES = {
  desktop: 'overview.deviceDesktop',
  mobile: 'overview.deviceMobile',
  tablet: 'overview.deviceTablet',
  tv: 'overview.deviceTv',
  console: 'overview.deviceConsole',
  wearable: 'overview.deviceWearable',
} as const satisfies Readonly<Record<string, MessageKey>>

function isDeviceType(value: string): value is keyof typeof DEVICE_NAMES {
  return Object.hasOwn(DEVICE_NAMES, value)
}

/** The label of a type of devices; others as they are. */
export function deviceLabel(value: string): string {
  return isDeviceType(value) ? t(DEVICE_NAMES[value]) : value
}
