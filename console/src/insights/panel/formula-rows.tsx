import Plus from 'lucide-solid/icons/plus'
import Trash from 'lucide-solid/icons/trash'
import { Index, type JSX, Show } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Failure } from '../../rpc/failure.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import type { FormulaDraft } from '../model/draft.ts'
import { FORMULAS_MAX, type FormulaMistake, findMistake, newFormula } from '../model/formulas.ts'

function describeMistake(mistake: FormulaMistake): string {
  switch (mistake.kind) {
    case 'no series':
      return t('insights.formulaNoSeries', { letter: mistake.letter })
    case 'unfinished':
      return t('insights.formulaUnfinished')
    case 'from':
      return t('insights.formulaMistake', { rest: mistake.rest })
  }
}

/** The formulas of a query. A change counts when its field is left, so that no half-written formula runs. */
export function FormulaRows(props: {
  readonly formulas: readonly FormulaDraft[]
  readonly seriesCount: number
  /** The reason why the query was refused. */
  readonly failure: unknown
  readonly onChange: (formulas: readonly FormulaDraft[]) => void
}): JSX.Element {
  const problemAt = (at: number): string | undefined => {
    const { violations } = Failure.from(props.failure)
    const mistake = findMistake(violations, { formulas: props.formulas, at, seriesCount: props.seriesCount })
    return mistake && describeMistake(mistake)
  }
  return (
    <div class="query-rows">
      <Index each={props.formulas}>
        {(formula, at) => (
          <div class="query-formula">
            <Input
              label={t('insights.formulaNumber', { number: at + 1 })}
              labelDisplay="hidden"
              class="query-expression"
              placeholder="100 * B / A"
              maxlength={500}
              spellcheck={false}
              value={formula().expression}
              problem={problemAt(at)}
              onChange={(expression) => props.onChange(props.formulas.with(at, { ...formula(), expression }))}
            />
            <Input
              label={t('insights.formulaName', { number: at + 1 })}
              labelDisplay="hidden"
              placeholder={t('insights.formulaNameExample')}
              maxlength={200}
              value={formula().name}
              onChange={(name) => props.onChange(props.formulas.with(at, { ...formula(), name }))}
            />
            <IconButton
              tone="ghost"
              size="small"
              name={t('insights.removeFormula', { number: at + 1 })}
              onClick={() => props.onChange(props.formulas.toSpliced(at, 1))}
            >
              <Trash />
            </IconButton>
          </div>
        )}
      </Index>
      <Show when={props.formulas.length < FORMULAS_MAX}>
        <Button
          size="small"
          icon={<Plus />}
          class="query-add"
          onClick={() => props.onChange([...props.formulas, newFormula(props.seriesCount)])}
        >
          {t('insights.addFormula')}
        </Button>
      </Show>
      <Show when={props.formulas.length > 0}>
        <p class="query-hint">{t('insights.formulaHint')}</p>
      </Show>
    </div>
  )
}
