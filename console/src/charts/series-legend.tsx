import { isBars, type TimeModel } from '@domain/charts/time-model.ts'
import { For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { nameIncomplete } from './buckets.ts'
import { seriesColor } from './palette.ts'
import type { SeriesSwitch } from './time-series.tsx'

/** The names of the series as switches: a click hides one, a double click shows it alone. */
export function SeriesLegend(props: {
  readonly model: TimeModel
  readonly shown: SeriesSwitch
  /** Only the notes, where a table names the series. */
  readonly only?: 'notes'
}): JSX.Element {
  const hasPrevious = (): boolean =>
    props.model.lines.some(({ previous }) => previous.length > 0) &&
    (props.model.style === 'bars' ||
      props.model.lines.filter(({ key }) => !props.shown.isHidden(key)).length === 1)
  return (
    <fieldset class="series-legend" aria-label={t('chart.series')}>
      <For each={props.only === 'notes' ? [] : props.model.lines}>
        {({ key, label, slot }) => (
          <button
            type="button"
            class="series-name"
            title={label}
            aria-pressed={!props.shown.isHidden(key)}
            onClick={() => props.shown.toggle(key)}
            onDblClick={() => props.shown.isolate(key)}
            onPointerEnter={() => props.shown.focus(key)}
            onPointerLeave={() => props.shown.focus(undefined)}
          >
            <span
              class="series-mark"
              classList={{ line: !isBars(props.model.style) }}
              style={{ '--paint': seriesColor(slot) }}
            />
            <span class="ellipsis">{label}</span>
          </button>
        )}
      </For>
      <Show when={hasPrevious()}>
        <span class="series-note">
          <span class="series-mark previous" classList={{ dashed: !isBars(props.model.style) }} />
          {t('chart.previousPeriod')}
        </span>
      </Show>
      <Show when={props.model.incomplete !== undefined}>
        <span class="series-note">
          <span
            class="series-mark dotted"
            style={{
              '--paint': seriesColor(props.model.lines.length === 1 ? (props.model.lines[0]?.slot ?? 0) : 99),
            }}
          />
          {nameIncomplete(props.model.width)}
        </span>
      </Show>
    </fieldset>
  )
}
