import type { RangeMs } from '@domain/time-ranges.ts'
import Download from 'lucide-solid/icons/download'
import RefreshCw from 'lucide-solid/icons/refresh-cw'
import { type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAge } from '../../format/ago.ts'
import { formatNumber, formatRange } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { costOf } from '../../rpc/query-cost.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { matchesWeekdays } from '../insight-period.ts'
import type { Answered } from '../run-query.ts'

/** The age of an answer is written again after this time. */
const AGE_STEP_MS = 10_000

/** The age of an answer, its time, its cost and its actions. */
export function ResultFoot(props: {
  readonly answered: Answered
  /** Charts that show no times name the range here. */
  readonly isTimed: boolean
  readonly canSavePicture: boolean
  readonly onRefresh: () => void
  readonly onCsv: () => void
  readonly onPng: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock(AGE_STEP_MS)
  const { timeZone } = workspace()
  const age = (): string =>
    formatAge(props.answered.askedMs, { nowMs: Math.max(nowMs(), props.answered.askedMs), timeZone })
  return (
    <footer class="result-foot">
      <button type="button" class="result-age" data-tip={t('insights.refresh')} onClick={props.onRefresh}>
        <RefreshCw />
        {t('insights.updated', { age: age() })}
      </button>
      <span>{t('insights.timesIn', { zone: timeZone })}</span>
      <Show when={!props.isTimed || props.answered.before !== undefined}>
        <span class="result-range">{formatRange(props.answered.range, timeZone)}</span>
      </Show>
      <Show when={props.answered.before}>
        {(before) => (
          <span>
            {t('insights.comparedWith', { range: nameCompared(props.answered.range, before(), timeZone) })}
          </span>
        )}
      </Show>
      <span class="result-cost">{describeCost(props.answered.response)}</span>
      <Menu
        trigger={(attributes) => (
          <Button {...attributes} tone="ghost" size="small" icon={<Download />}>
            {t('insights.export')}
          </Button>
        )}
        entries={[
          { label: t('insights.exportCsv'), onSelect: props.onCsv },
          { label: t('insights.exportPng'), onSelect: props.onPng, isDisabled: !props.canSavePicture },
        ]}
      />
    </footer>
  )
}

function nameCompared(range: RangeMs, before: RangeMs, timeZone: string): string {
  const days = formatRange(before, timeZone)
  return matchesWeekdays(range, before) ? t('overview.weekdaysMatched', { days }) : days
}

/** The cost of an answer in words; empty where it is unknown. */
function describeCost(answer: object): string {
  const cost = costOf(answer)
  if (!cost) return ''
  const { rows: count, milliseconds, source } = cost
  const seconds = formatNumber(milliseconds / 1000)
  return t(source === 'miss' ? 'insights.cost' : 'insights.costCached', { count, seconds })
}
