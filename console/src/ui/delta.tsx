import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Minus from 'lucide-solid/icons/minus'
import { type JSX, Match, Switch } from 'solid-js'
import { currentLocale } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import './delta.css'

/** A change below this is shown as none: it would be written as 0.0. */
const CHANGE_MIN = 0.0005

/** What a rise of a value means. */
export type Better = 'up' | 'down' | 'neither'

/** A change against a previous value. */
export interface Change {
  /** As a share of the previous value, or for `pp` the difference of two shares; `new` when the previous value is 0. */
  readonly by: number | 'new'
  /** `pp`: percentage points, for the change of a rate. */
  readonly unit?: 'percent' | 'pp'
  /** Whether a rise is good; `up` when absent. */
  readonly better?: Better
}

/** The direction of a change and what it means. */
export function judgeChange({ by, better = 'up' }: Change): {
  readonly direction: 'up' | 'down' | 'none'
  readonly verdict: 'good' | 'bad' | 'neutral'
} {
  if (by === 'new') return { direction: 'up', verdict: better === 'up' ? 'good' : 'neutral' }
  if (Math.abs(by) < CHANGE_MIN) return { direction: 'none', verdict: 'neutral' }
  const direction = by > 0 ? 'up' : 'down'
  if (better === 'neither') return { direction, verdict: 'neutral' }
  return { direction, verdict: direction === better ? 'good' : 'bad' }
}

const share = new Intl.NumberFormat(currentLocale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const points = new Intl.NumberFormat(currentLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

function writeAmount({ by, unit }: Change): string {
  if (by === 'new') return t('ui.new')
  const amount = Math.abs(by) < CHANGE_MIN ? 0 : Math.abs(by)
  return unit === 'pp' ? `${points.format(amount * 100)} pp` : share.format(amount)
}

function nameChange(change: Change): string {
  const { direction, verdict } = judgeChange(change)
  if (direction === 'none') return t('ui.unchanged')
  const amount = writeAmount(change)
  const words = change.by === 'new' ? amount : t(direction === 'up' ? 'ui.up' : 'ui.down', { amount })
  if (verdict === 'neutral') return words
  return `${words}, ${t(verdict === 'good' ? 'ui.good' : 'ui.bad')}`
}

/** A change as an arrow and a number; its name tells the direction and whether it is good. */
export function Delta(props: Change): JSX.Element {
  const judged = () => judgeChange(props)
  return (
    <span class="ui-delta" data-verdict={judged().verdict}>
      <span class="ui-hidden">{nameChange(props)}</span>
      <Switch fallback={<Minus />}>
        <Match when={judged().direction === 'up'}>
          <ArrowUp />
        </Match>
        <Match when={judged().direction === 'down'}>
          <ArrowDown />
        </Match>
      </Switch>
      <span aria-hidden="true">{writeAmount(props)}</span>
    </span>
  )
}
