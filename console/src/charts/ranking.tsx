import type { TopKResult, TopKRow } from '@contract/shared/insights/v1/query_result_pb.js'
import { toneOf } from '@domain/thresholds.ts'
import { type JSX, Show } from 'solid-js'
import { changeOf } from '../format/change.ts'
import { rowLabel } from '../format/labels.ts'
import { formatValue } from '../format/unit.ts'
import { formatCountry, formatShare } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { lazy } from '../ui/lazy.ts'
import type { ChartProps } from './chart.ts'
import { Pie } from './pie.tsx'
import { RankedBars } from './ranked-bars.tsx'
import type { RankedRow } from './ranked-rows.ts'

const WorldMap = lazy(async () => ({ default: (await import('./world-map.tsx')).WorldMap }))

type RankingProps = ChartProps<TopKResult>

/** A ranking of values as bars or a pie. */
export function RankingChart(props: RankingProps): JSX.Element {
  return <Ranking {...props} nameOf={(label) => label} />
}

/** Countries as a map or a pie. */
export function CountryChart(props: RankingProps): JSX.Element {
  return (
    <Show when={props.view === 'pie'} fallback={<WorldMap {...props} />}>
      <Ranking {...props} nameOf={formatCountry} />
    </Show>
  )
}

function Ranking(props: RankingProps & { readonly nameOf: (label: string) => string }): JSX.Element {
  const unit = () => props.options.unit
  const total = (): number => props.result.rows.reduce((sum, { value }) => sum + value, 0)
  // Without the row of the others, the rows shown are not the whole.
  const hasShares = (): boolean =>
    props.options.shares === 'shown' && props.result.rows.some(({ isOthers }) => isOthers)
  const rows = (): RankedRow[] =>
    props.result.rows.map((row) => ({
      label: props.nameOf(rowLabel(row)),
      value: row.value,
      text: formatValue(row.value, unit()),
      isOther: row.isOthers,
      share: hasShares() ? formatShare(row.value / total()) : undefined,
      tone: toneOf(row.value, props.options.rules),
      ...comparedRow(row, props),
    }))
  return (
    <Show
      when={props.view === 'pie'}
      fallback={<RankedBars rows={rows()} onOpen={openerOf(props)} opened={openedRow(props)} />}
    >
      <Pie
        rows={rows()}
        labels={props.options.pieLabels}
        writeValue={(value) => formatValue(value, unit())}
      />
    </Show>
  )
}

function openerOf({ onOpen, result }: RankingProps): ((index: number) => void) | undefined {
  if (!onOpen) return undefined
  return (index) => {
    const row = result.rows[index]
    if (row) onOpen({ kind: 'row', value: row.dimensionValue, isOthers: row.isOthers })
  }
}

/** The index of the row whose people are listed. */
function openedRow({ opened, result }: RankingProps): number | undefined {
  if (opened?.kind !== 'row') return undefined
  const at = result.rows.findIndex(
    ({ dimensionValue, isOthers }) =>
      isOthers === opened.isOthers && (isOthers || dimensionValue === opened.value),
  )
  return at < 0 ? undefined : at
}

/** The change of a row. The previous answer has only the highest ranks: the value of a lower one is unknown. */
function comparedRow(
  { dimensionValue, value }: TopKRow,
  { previous, options }: RankingProps,
): Pick<RankedRow, 'change' | 'note'> {
  if (!previous) return {}
  const before = previous.rows.find((row) => row.dimensionValue === dimensionValue)?.value
  return before === undefined ? { note: t('chart.notRanked') } : { change: changeOf(value, before, options) }
}
