import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { QueryRealtimeResponse, RealtimeMinute } from '@contract/millrace/web/v1/realtime_pb.js'
import { createSignal, Index, type JSX, Show } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber, formatShortMoment, formatShortTime, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { arrowTarget } from '../../ui/arrow-keys.ts'
import { LiveDot } from '../../ui/spinner.tsx'
import { liveNumbers } from './live-model.ts'

/** Bars are never lower, so that a minute with one event is seen. */
const HEIGHT_PERCENT_MIN = 4

/** The numbers of this moment, and the events of the last 30 minutes. */
export function LiveNumbersCard(props: {
  /** Undefined before the first answer, and while the connection is lost. */
  readonly answer: QueryRealtimeResponse | undefined
  readonly minuteMs: number | undefined
  /** The arrival of the newest event of the list. */
  readonly lastMs: number | undefined
  readonly onChoose: (minuteMs: number) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const isQuiet = (): boolean => minutes().length > 0 && minutes().every(({ events }) => events === 0n)
  const minutes = (): readonly RealtimeMinute[] => props.answer?.minutes ?? []
  const shown = (value: number | undefined): string =>
    props.answer && value !== undefined ? formatNumber(value) : NO_VALUE
  const numbers = () => liveNumbers(minutes())
  return (
    <section class="ui-card live-now" aria-label={t('live.now')}>
      <dl class="live-numbers">
        <div>
          <dt>
            <LiveDot /> {t('live.peopleOnline')}
          </dt>
          <dd>{shown(Number(props.answer?.visitors ?? 0))}</dd>
        </div>
        <div data-tip={t('live.eventsPerMinuteMeaning')}>
          <dt>{t('live.eventsPerMinute')}</dt>
          <dd>{shown(numbers().eventsPerMinute)}</dd>
        </div>
        <div>
          <dt>{t('live.pageViews')}</dt>
          <dd>{shown(numbers().pageViews)}</dd>
        </div>
      </dl>
      <Show when={isQuiet() && props.lastMs}>
        {(lastMs) => (
          <p class="live-quiet">
            {t('live.quiet', { moment: formatShortMoment(lastMs(), workspace().timeZone) })}
          </p>
        )}
      </Show>
      <MinuteBars minutes={minutes()} chosenMs={props.minuteMs} onChoose={props.onChoose} />
    </section>
  )
}

function MinuteBars(props: {
  readonly minutes: readonly RealtimeMinute[]
  readonly chosenMs: number | undefined
  readonly onChoose: (minuteMs: number) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const [focused, setFocused] = createSignal<number>()
  const most = (): number => Math.max(1, ...props.minutes.map(({ events }) => Number(events)))
  const tabStop = (): number => focused() ?? props.minutes.length - 1
  const startOf = ({ time }: RealtimeMinute): number => (time ? timestampMs(time) : 0)
  const height = ({ events }: RealtimeMinute): string =>
    events === 0n ? '0' : `${Math.max(HEIGHT_PERCENT_MIN, (100 * Number(events)) / most())}%`
  const nameOf = (minute: RealtimeMinute): string =>
    `${formatShortTime(startOf(minute), workspace().timeZone)}: ${t('live.eventCount', { count: Number(minute.events) })}`
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const target = arrowTarget(event.key, { at: tabStop(), count: props.minutes.length })
    if (target === undefined) return
    event.preventDefault()
    setFocused(target)
    event.currentTarget.querySelectorAll('button')[target]?.focus()
  }
  return (
    <div class="live-chart">
      {/* biome-ignore lint/a11y/useSemanticElements: bars are no form */}
      <div class="live-bars" role="group" aria-label={t('live.minutes')} onKeyDown={move}>
        <Index each={props.minutes}>
          {(minute, at) => (
            <button
              type="button"
              class="live-minute"
              data-tip={nameOf(minute())}
              aria-label={nameOf(minute())}
              aria-pressed={props.chosenMs === startOf(minute())}
              tabindex={at === tabStop() ? 0 : -1}
              onClick={() => props.onChoose(startOf(minute()))}
            >
              <span style={{ height: height(minute()) }} />
            </button>
          )}
        </Index>
      </div>
      <p class="live-axis" aria-hidden="true">
        <span>{t('live.minutesAgo', { count: 30 })}</span>
        <span>{t('live.minutesAgo', { count: 15 })}</span>
        <span>{t('live.nowShort')}</span>
      </p>
    </div>
  )
}
