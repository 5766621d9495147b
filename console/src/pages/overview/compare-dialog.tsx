import { countDays } from '@domain/date-periods.ts'
import { parseDayPhrase } from '@domain/date-phrases.ts'
import { createSignal, type JSX } from 'solid-js'
import { currentLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/input.tsx'
import { writeDay } from '../../ui/period-labels.ts'
import { useView } from './overview-view.ts'
import { shiftOf } from './requests.ts'

/** Asks for the first day of the range to compare with, which has as many days as the period. */
export function CompareDialog(props: { readonly onClose: () => void }): JSX.Element {
  const view = useView()
  const { days, comparedDays } = view.asked()
  const [text, setText] = createSignal(comparedDays ? writeDay(comparedDays.from) : '')
  const [problem, setProblem] = createSignal<string>()
  const apply = (): void => {
    const from = parseDayPhrase(text(), { today: view.asOf().today, language: currentLanguage })
    if (from === undefined) return void setProblem(t('ui.dateProblem'))
    if (from >= days.from) return void setProblem(t('overview.compareLate'))
    if (!shiftOf({ from }, days)) return void setProblem(t('overview.compareFar'))
    view.change({ compare: { from } })
    props.onClose()
  }
  return (
    <Dialog
      title={t('overview.compareTitle')}
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
          hint={t('overview.compareHint', { count: countDays(days) })}
          value={text()}
          onChange={setText}
          problem={problem()}
        />
      </form>
    </Dialog>
  )
}
