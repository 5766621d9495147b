import type { QueryOverviewResponse } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { For, type JSX, Show } from 'solid-js'
import { NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Delta } from '../../ui/delta.tsx'
import { SkeletonBlock } from '../../ui/states.tsx'
import { labelImported } from './imported.ts'
import { changeOfMetric, isKnown, METRIC_NAMES, METRICS, type MetricName, writeMetric } from './metrics.ts'
import { useView } from './overview-view.ts'

/** The six measures with their changes; a click draws one. */
export function MetricStrip(props: { readonly answer: QueryOverviewResponse | undefined }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons of a view are no form
    <div class="metric-strip" role="group" aria-label={t('overview.measures')}>
      <For each={METRIC_NAMES}>{(name) => <MetricTile name={name} answer={props.answer} />}</For>
    </div>
  )
}

function MetricTile(props: {
  readonly name: MetricName
  readonly answer: QueryOverviewResponse | undefined
}): JSX.Element {
  const view = useView()
  const totals = () => props.answer?.totals
  // A mean of an empty period is no number to compare with.
  const before = () => {
    const then = view.state().compare === 'none' ? undefined : props.answer?.comparisonTotals
    return then && isKnown(props.name, then) ? then : undefined
  }
  return (
    <button
      type="button"
      class="metric-tile"
      aria-pressed={view.state().metric === props.name}
      aria-description={t(METRICS[props.name].definition)}
      data-tip={t(METRICS[props.name].definition)}
      onClick={() => view.change({ metric: props.name })}
    >
      <span class="metric-label">{t(METRICS[props.name].name)}</span>
      <Show
        when={totals()}
        fallback={
          <span class="metric-line">
            <SkeletonBlock width="70%" heightPx={24} />
          </span>
        }
      >
        {(now) => (
          <span class="metric-line">
            <span class="metric-value ui-tabular">
              {isKnown(props.name, now()) ? writeMetric(props.name, now()) : NO_VALUE}
            </span>
            <Show when={isKnown(props.name, now()) && before()}>
              {(then) => <Delta {...changeOfMetric(props.name, now(), then())} />}
            </Show>
          </span>
        )}
      </Show>
      <span class="metric-before ui-tabular">
        <Show when={before()} fallback={'\u00a0'}>
          {(then) => t('overview.versus', { value: writeMetric(props.name, then()) })}
        </Show>
      </span>
      <Show when={labelImported(props.name, props.answer?.importedTotals)}>
        {(label) => (
          <span class="metric-imported ui-tabular" data-tip={t('overview.importedMeaning')}>
            {label()}
          </span>
        )}
      </Show>
    </button>
  )
}
