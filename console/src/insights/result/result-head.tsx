import { createMemo, For, type JSX, Match, Show, Switch } from 'solid-js'
import { ChangeMark } from '../../charts/change-mark.tsx'
import { funnelRun } from '../../charts/funnel-model.ts'
import { changeOf } from '../../format/change.ts'
import { formatValue, type Unit } from '../../format/unit.ts'
import { t } from '../../i18n/translate.ts'
import { chartOptionsOf } from '../chart-options.ts'
import { type Draft, draftOf, propertyOf } from '../model/draft.ts'
import { MEASURE_NAMES } from '../model/names.ts'
import { nameEvent, nameProperty } from '../model/series.ts'
import type { Answered } from '../run-query.ts'
import { titleOf } from '../spec.ts'
import { totalOf, totalsOf } from './total.ts'

/** The totals of an answer, above its chart. */
export function ResultHead(props: { readonly answered: Answered }): JSX.Element {
  const total = () => totalOf(props.answered)
  const totals = createMemo(() => totalsOf(props.answered))
  return (
    <Switch>
      <Match when={total()}>
        {(shown) => (
          <p class="result-total">
            <Figure
              value={shown().value}
              previous={shown().previous}
              unit={chartOptionsOf(props.answered.spec).unit}
              good={chartOptionsOf(props.answered.spec).good}
            />
            <span class="result-note">
              {nameTotal(props.answered.draft)}
              <Show when={shown().previous}>
                {(previous) =>
                  ` · ${t('insights.before', {
                    value: formatValue(previous(), chartOptionsOf(props.answered.spec).unit),
                  })}`
                }
              </Show>
            </span>
          </p>
        )}
      </Match>
      <Match when={totals().length > 0}>
        <dl class="result-figures">
          <For each={totals()}>
            {({ label, value, previous }) => (
              <div>
                <dt>{label}</dt>
                <dd>
                  <Figure
                    value={value}
                    previous={previous}
                    unit={chartOptionsOf(props.answered.spec).unit}
                    good={chartOptionsOf(props.answered.spec).good}
                  />
                </dd>
              </div>
            )}
          </For>
        </dl>
      </Match>
      <Match when={props.answered.draft.type === 'INSIGHT_TYPE_FUNNEL'}>
        <FunnelHead answered={props.answered} />
      </Match>
    </Switch>
  )
}

/** The measure of the only series; the query where it is of sessions. */
function nameTotal(draft: Draft): string {
  const trends = draftOf(draft, 'INSIGHT_TYPE_TRENDS')
  const series = trends?.subject.of === 'events' ? trends.subject.series : []
  const [only] = series
  if (!only) return titleOf(draft)
  const property = nameProperty(propertyOf(only.measure) ?? '')
  return [t(MEASURE_NAMES[only.measure.aggregation]), property, nameEvent(only)]
    .filter((part) => part !== '')
    .join(' · ')
}

function Figure(props: {
  readonly value: number | undefined
  readonly previous: number | undefined
  readonly unit: Unit
  readonly good: 'up' | 'down' | 'neither'
}): JSX.Element {
  const change = () => changeOf(props.value, props.previous, props)
  return (
    <>
      <strong class="result-number">{formatValue(props.value ?? 0, props.unit)}</strong>
      <Show when={change()}>{(known) => <ChangeMark change={known()} />}</Show>
    </>
  )
}

/** The conversion of a funnel without a breakdown. */
function FunnelHead(props: { readonly answered: Answered }): JSX.Element {
  const last = () => {
    const { result, previous } = props.answered
    if (result.case !== 'funnel' || result.value.series.length !== 1) return undefined
    const [series] = result.value.series
    const before = previous?.case === 'funnel' ? previous.value.series : undefined
    return series && funnelRun(series, before, props.answered.spec?.funnel).stages.at(-1)
  }
  // The chart of times to convert has their median itself.
  const isOfTimes = (): boolean =>
    draftOf(props.answered.draft, 'INSIGHT_TYPE_FUNNEL')?.options.view === 'VIEW_TIME_TO_CONVERT'
  return (
    <Show when={last()}>
      {(stage) => (
        <dl class="result-figures">
          <div>
            <dt>{t('insights.conversion')}</dt>
            <dd>
              <Figure
                value={percentOf(stage().fromStart)}
                previous={
                  stage().fromStartBefore === undefined ? undefined : percentOf(stage().fromStartBefore)
                }
                unit="percent"
                good="up"
              />
            </dd>
          </div>
          <div>
            <dt>{t('insights.completed')}</dt>
            <dd>
              <Figure value={stage().people} previous={stage().peopleBefore} unit="number" good="up" />
            </dd>
          </div>
          <Show when={!isOfTimes() && stage().medianSeconds}>
            {(seconds) => (
              <div>
                <dt>{t('insights.medianTime')}</dt>
                <dd>
                  <Figure value={seconds()} previous={stage().medianBefore} unit="seconds" good="down" />
                </dd>
              </div>
            )}
          </Show>
        </dl>
      )}
    </Show>
  )
}

function percentOf(share: number | undefined): number {
  return (share ?? 0) * 100
}
