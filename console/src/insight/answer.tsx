import './answer.css'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { type JSX, lazy, Match, Switch } from 'solid-js'
import { Funnel } from '../charts/funnel.tsx'
import { NumberCard } from '../charts/number-card.tsx'
import { RetentionMatrix } from '../charts/retention-matrix.tsx'
import { Empty } from '../ui/async.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { tabulateBeside } from './compare.ts'
import { type Looks, looksOf } from './looks.ts'
import { tabulate } from './table.ts'
import { TopAnswer } from './top-answer.tsx'
import { TrendsAnswer } from './trends-answer.tsx'
import type { View } from './view.ts'

const Sankey = lazy(async () => ({ default: (await import('../charts/sankey.tsx')).Sankey }))

type Result = QueryResponse['result']

type Values = { readonly [R in Exclude<Result, { case: undefined }> as R['case']]: R['value'] }

/** What an answer of one case holds; `undefined` for the others. */
function readCase<C extends keyof Values>(result: Result | undefined, name: C): Values[C] | undefined {
  return result?.case === name ? (result.value as Values[C]) : undefined
}

/** The answer to an insight, drawn. Charts that come when they are needed are waited for by whatever is around it. */
export function Answer(props: {
  readonly result: Result
  /** The answer for the time before, to compare with. */
  readonly before?: Result | undefined
  readonly view: View
  readonly timeZone: string
  /** True for countries, whose values are codes. */
  readonly isMap?: boolean
  /** In pixels; absent fills what is around the chart. */
  readonly height?: number
  readonly looks?: Looks
}): JSX.Element {
  const isEmpty = (): boolean => tabulate(props.result).rows.length === 0
  const looks = (): Looks => props.looks ?? looksOf(undefined)
  return (
    <Switch>
      <Match when={isEmpty()}>
        <Empty title="No events match">Try a longer time range or fewer filters.</Empty>
      </Match>
      <Match when={props.view === 'table'}>
        <DataTable
          table={tabulateBeside(props.result, props.before)}
          label="Answer"
          unit={looks().unit}
          timeZone={props.timeZone}
        />
      </Match>
      <Match when={readCase(props.result, 'trends')}>
        {(trends) => (
          <TrendsAnswer
            trends={trends()}
            before={readCase(props.before, 'trends')}
            view={props.view}
            timeZone={props.timeZone}
            looks={looks()}
            {...(props.height !== undefined && { height: props.height })}
          />
        )}
      </Match>
      <Match when={readCase(props.result, 'segmentation')}>
        {(answer) => (
          <NumberCard
            value={answer().total}
            before={readCase(props.before, 'segmentation')?.total}
            unit={looks().unit}
            rules={looks().rules}
          />
        )}
      </Match>
      <Match when={readCase(props.result, 'funnel')}>
        {(funnel) => <Funnel funnel={funnel()} before={readCase(props.before, 'funnel')} />}
      </Match>
      <Match when={readCase(props.result, 'retention')}>
        {(retention) => <RetentionMatrix retention={retention()} timeZone={props.timeZone} />}
      </Match>
      <Match when={readCase(props.result, 'userFlow')}>{(flow) => <Sankey flow={flow()} />}</Match>
      <Match when={readCase(props.result, 'topK')}>
        {(top) => (
          <TopAnswer
            top={top()}
            before={readCase(props.before, 'topK')}
            looks={looks()}
            view={props.view}
            isMap={props.isMap ?? false}
          />
        )}
      </Match>
    </Switch>
  )
}
