import type { Days } from '@domain/calendar.ts'
import { countDays } from '@domain/date-periods.ts'
import { parseDayPhrase } from '@domain/date-phrases.ts'
import { createSignal, type JSX } from 'solid-js'
import { currentLanguage } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Input } from './input.tsx'
import { writeDay } from './period-labels.ts'

/** Takes the first day of the range to compare with, which has as many days as the period. */
export function CompareDialog(props: {
  /** The days of the period. */
  readonly days: Days
  /** The first day of the range that is compared with now. */
  readonly from: string | undefined
  readonly today: string
  /** The reason why a day before the period cannot be chosen. */
  readonly problemOf?: (from: string) => string | undefined
  readonly onChoose: (from: string) => void
  readonly onClose: () => void
}): JSX.Element {
  const [text, setText] = createSignal(props.from === undefined ? '' : writeDay(props.from))
  const [problem, setProblem] = createSignal<string>()
  const apply = (): void => {
    const from = parseDayPhrase(text(), { today: props.today, language: currentLanguage })
    if (from === undefined) return void setProblem(t('ui.dateProblem'))
    if (from >= props.days.from) return void setProblem(t('ui.compareLate'))
    const found = props.problemOf?.(from)
    if (found !== undefined) return void setProblem(found)
    props.onChoose(from)
    props.onClose()
  }
  return (
    <Dialog
      title={t('ui.compareTitle')}
      isOpen={true}
      onClose={props.onClose}
      foot={
        <>
          <Button onClick={() => props.onClose()}>{t('common.cancel')}</Button>
          <Button tone="primary" onClick={apply}>
            {t('common.apply')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <Input
          label={t('ui.firstDay')}
          hint={t('ui.compareHint', { count: countDays(props.days) })}
          value={text()}
          onChange={setText}
          problem={problem()}
        />
      </form>
    </Dialog>
  )
}
