import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import Minus from 'lucide-solid/icons/minus'
import { type JSX, Match, Switch } from 'solid-js'
import { currentLocale } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { type Change, judgeChange } from './change.ts'
import './delta.css'

const share = new Intl.NumberFormat(currentLocale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const points = new Intl.NumberFormat(currentLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

function writeAmount({ by, unit }: Change): string {
  if (by === 'new') return t('ui.new')
  const amount = judgeChange({ by }).direction === 'none' ? 0 : Math.abs(by)
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

/** A change as an arrow and a number; its accessible name has the direction and whether it is good. */
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
