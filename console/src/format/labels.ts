import type { TopKRow } from '@contract/shared/insights/v1/query_result_pb.js'
import { t } from '../i18n/translate.ts'

/** The label of a series: its event and its breakdown values. */
export function seriesLabel(series: {
  readonly eventKind?: string
  readonly breakdown: Readonly<Record<string, string>>
}): string {
  const event = series.eventKind === '' ? t('chart.allEvents') : (series.eventKind ?? '')
  const values = Object.values(series.breakdown).map(breakdownLabel)
  const parts = [event === '$session' ? t('chart.sessions') : event, ...values].filter((part) => part !== '')
  return parts.length === 0 ? t('chart.all') : parts.join(' · ')
}

function breakdownLabel(value: string): string {
  if (value === '') return t('common.notSet')
  return value === '$others' ? t('chart.other') : value
}

/** The label of an event in a funnel step. */
export function eventLabel(kind: string): string {
  return kind === '' ? t('chart.allEvents') : kind
}

/** The label of a node of a user flow, with its position from 1. */
export function nodeLabel(node: {
  readonly label: string
  readonly isOthers: boolean
  readonly depth: number
}): string {
  return `${node.depth + 1}. ${node.isOthers ? t('chart.other') : node.label}`
}

/** The label of a row of a ranking. */
export function rowLabel({ dimensionValue, isOthers, profile }: TopKRow): string {
  if (isOthers) return t('chart.other')
  const name = profile?.properties?.name
  if (typeof name === 'string' && name !== '') return `${name} (${dimensionValue})`
  return dimensionValue === '' ? t('common.notSet') : dimensionValue
}
