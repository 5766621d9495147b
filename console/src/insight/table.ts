import { durationMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { TopKRow } from '@contract/shared/insights/v1/query_result_pb.js'
import { plain, type Table } from './columns.ts'

type Result = QueryResponse['result']

/** Any answer as a table: what is shown beside each chart, and what is exported. */
export function tabulate(result: Result): Table {
  switch (result.case) {
    case 'trends':
      return {
        columns: [plain('Series'), { name: 'Time', kind: 'moment' }, { name: 'Value', kind: 'value' }],
        rows: result.value.series.flatMap((series) =>
          series.points.map((point) => [labelOf(series), isoOf(point.time), point.value]),
        ),
      }
    case 'segmentation':
      return { columns: [{ name: 'Value', kind: 'value' }], rows: [[result.value.total]] }
    case 'funnel':
      return {
        columns: [
          ...['Series', 'Step', 'Kind', 'Users'].map(plain),
          { name: 'Share of the first step', kind: 'share' },
          plain('Median seconds'),
        ],
        rows: result.value.series.flatMap(({ breakdown, steps }) =>
          steps.map((step, index) => [
            labelOf({ breakdown }),
            index + 1,
            step.eventKind === '' ? 'Any event' : step.eventKind,
            step.total,
            steps[0] && steps[0].total > 0 ? step.total / steps[0].total : 0,
            step.timing?.median ? durationMs(step.timing.median) / 1000 : '',
          ]),
        ),
      }
    case 'retention':
      return {
        columns: [
          plain('Series'),
          { name: 'Cohort', kind: 'moment' },
          ...['Users', 'Period', 'Percent'].map(plain),
        ],
        rows: result.value.series.flatMap(({ breakdown, cohorts }) =>
          cohorts.flatMap(({ cohort, cohortSize, points }) =>
            points.map((point, period) => [labelOf({ breakdown }), cohort, cohortSize, period, point.value]),
          ),
        ),
      }
    case 'userFlow': {
      const labels = new Map(result.value.nodes.map((node) => [node.id, nodeLabel(node)]))
      return {
        columns: ['From', 'To', 'Sessions'].map(plain),
        rows: result.value.links.map(({ source, target, value }) => [
          labels.get(source) ?? source,
          labels.get(target) ?? target,
          Number(value),
        ]),
      }
    }
    case 'topK':
      return {
        columns: [plain('Value'), { name: 'Metric', kind: 'value' }],
        rows: result.value.rows.map((row) => [rowLabel(row), row.value]),
      }
    case undefined:
      return { columns: [], rows: [] }
  }
}

/** What a series is called: its kind and its values. */
export function labelOf(series: {
  readonly eventKind?: string
  readonly breakdown: Readonly<Record<string, string>>
}): string {
  const kind = series.eventKind === '' ? 'All events' : (series.eventKind ?? '')
  const values = Object.values(series.breakdown).map(valueLabel)
  const parts = [kind === '$session' ? 'Sessions' : kind, ...values].filter((part) => part !== '')
  return parts.length === 0 ? 'All' : parts.join(' · ')
}

function valueLabel(value: string): string {
  if (value === '') return '(not set)'
  return value === '$others' ? 'Others' : value
}

/** What a node of a flow is called; its depth counts from 1 for people. */
export function nodeLabel(node: {
  readonly label: string
  readonly isOthers: boolean
  readonly depth: number
}): string {
  return `${node.depth + 1}. ${node.isOthers ? 'Others' : node.label}`
}

/** What a row of a ranking is called. */
export function rowLabel({ dimensionValue, isOthers, profile }: TopKRow): string {
  if (isOthers) return 'Others'
  const name = profile?.properties?.name
  if (typeof name === 'string' && name !== '') return `${name} (${dimensionValue})`
  return dimensionValue === '' ? '(not set)' : dimensionValue
}

function isoOf(time: Parameters<typeof timestampMs>[0] | undefined): string {
  return time ? new Date(timestampMs(time)).toISOString() : ''
}
