import './answer.css'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { sumTotals } from '@domain/insights/totals.ts'
import { createMemo, type JSX, Match, Show, Switch, untrack } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { ChartOptions, ChartTarget, View } from '../charts/chart.ts'
import { t } from '../i18n/translate.ts'
import { ONLY_ANSWER } from '../people/opened-part.ts'
import { usePeopleBehind } from '../people/people-context.ts'
import { DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/states.tsx'
import { compareTables } from './compare.ts'
import type { InsightTypeEntry, Result } from './model/insight-type.ts'
import { entryOfAnswer, pointOfTarget } from './types/insight-types.ts'

interface AnswerProps {
  /** The query; with it, a part of the chart opens the people behind it. */
  readonly asked?: QueryRequest | undefined
  /** Distinguishes the answers of a page. */
  readonly name?: string
  readonly result: Result
  /** The result of the previous period, to compare with. */
  readonly previous?: Result | undefined
  /** The values of series over the range; by default those that the answer itself gives. */
  readonly totals?: readonly SeriesTotal[] | undefined
  readonly spec: InsightQuerySpec | undefined
  readonly view: View
  readonly timeZone: string
  /** In pixels; absent fills the surrounding box. */
  readonly height?: number
  readonly options: ChartOptions
}

/** The answer to an insight query as a chart or a table. Its parent shows a fallback while the chart loads. */
export function Answer(props: AnswerProps): JSX.Element {
  // A chart stays while its answers have one type.
  const entry = createMemo(() => entryOfAnswer(props.result, props.spec))
  return (
    <Show when={entry()} keyed fallback={<NoEvents />}>
      {(known) => <KnownAnswer {...props} entry={known} />}
    </Show>
  )
}

function KnownAnswer(props: AnswerProps & { readonly entry: InsightTypeEntry }): JSX.Element {
  const isEmpty = (): boolean => props.entry.table(props.result).rows.length === 0
  const table = () =>
    compareTables(props.entry, { result: props.result, previous: props.previous, spec: props.spec })
  const totals = (): readonly SeriesTotal[] => props.totals ?? sumTotals(props.spec, props)
  const behind = usePeopleBehind()
  const name = untrack(() => props.name ?? ONLY_ANSWER)
  behind?.offer(name, () => {
    const { asked: request, result } = props
    return request && { request, result, pointOf: (part) => pointOfTarget(part, { request, result }) }
  })
  const open = () => (behind && props.asked ? (part: ChartTarget) => behind.open(name, part) : undefined)
  const opened = (): ChartTarget | undefined => behind?.opened(name)
  return (
    <Switch
      fallback={
        <Dynamic
          component={props.entry.Chart}
          result={props.result}
          previous={props.previous}
          totals={totals()}
          view={props.view}
          spec={props.spec}
          timeZone={props.timeZone}
          options={props.options}
          height={props.height}
          onOpen={open()}
          opened={opened()}
        />
      }
    >
      <Match when={isEmpty()}>
        <NoEvents />
      </Match>
      <Match when={props.view === 'table'}>
        <DataTable
          table={table()}
          label={t('insights.answer')}
          unit={props.options.unit}
          timeZone={props.timeZone}
        />
      </Match>
    </Switch>
  )
}

function NoEvents(): JSX.Element {
  return <EmptyState title={t('insights.noEvents')} text={t('insights.noneMatches')} />
}
