import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { createSignal, type JSX, Show } from 'solid-js'
import { cohortsClient } from '../../cohorts/cohort-list.ts'
import { t } from '../../i18n/translate.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextArea } from '../../ui/input.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { idCountOf, parseIds } from './cohort-draft.ts'

/** Most ids of one call. */
const IDS_MAX = 10_000

/** The ids of a static cohort: those of a new one, or changes to a stored one. */
export function IdsCard(props: {
  readonly cohort: Cohort | undefined
  readonly ids: readonly string[]
  readonly onIds: (ids: readonly string[]) => void
  readonly isEditor: boolean
  readonly onChanged: () => void
}): JSX.Element {
  const action = createAction()
  const [text, setText] = createSignal('')
  const ids = () => parseIds(text())
  const isTooLong = (): boolean => ids().length > IDS_MAX
  const write = (changed: string): void => {
    setText(changed)
    if (!props.cohort) props.onIds(parseIds(changed))
  }
  const change = (kind: 'addMembers' | 'removeMembers', cohort: Cohort): void =>
    action.run(async () => {
      await cohortsClient[kind]({ id: cohort.id, ids: [...ids()] })
      setText('')
      props.onChanged()
    })
  const title = (): string => {
    const count = props.cohort && idCountOf(props.cohort)
    return count === undefined ? t('cohorts.ids') : t('cohorts.staticCount', { count })
  }
  return (
    <Card title={title()}>
      <Show when={props.isEditor}>
        <TextArea
          label={t('cohorts.ids')}
          labelDisplay="hidden"
          hint={t('cohorts.idsHint')}
          {...(isTooLong() && { problem: t('cohorts.tooManyIds') })}
          rows={8}
          value={text()}
          onInput={write}
        />
        <Show when={props.cohort}>
          {(cohort) => (
            <div class="cohorts-add">
              <Button
                isDisabled={ids().length === 0 || isTooLong()}
                isLoading={action.isRunning()}
                onClick={() => change('addMembers', cohort())}
              >
                {t('cohorts.addIds')}
              </Button>
              <Button
                isDisabled={ids().length === 0 || isTooLong() || action.isRunning()}
                onClick={() => change('removeMembers', cohort())}
              >
                {t('cohorts.removeIds')}
              </Button>
            </div>
          )}
        </Show>
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </Card>
  )
}
