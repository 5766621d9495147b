import type { CohortDefinition } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { CohortsService } from '@contract/millrace/cohorts/v1/cohorts_service_pb.js'
import UsersRound from 'lucide-solid/icons/users-round'
import { createSignal, type JSX, Show } from 'solid-js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { cohortsClient } from '../../cohorts/cohort-list.ts'
import { SaveCohortDialog } from '../../cohorts/save-cohort.tsx'
import { useMay } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import type { FilterDraft } from '../../picker/filter-draft.ts'
import { Button } from '../../ui/button.tsx'
import { definitionOfList } from '../cohorts/cohort-draft.ts'

/** Saves the conditions of the list of people as a cohort; disabled, with the reason, where a cohort cannot have them. */
export function SavePeople(props: {
  readonly search: string
  readonly filters: readonly FilterDraft[]
  readonly cohorts: readonly CohortFilterDraft[]
}): JSX.Element {
  const may = useMay()
  const [isOpen, setOpen] = createSignal(false)
  const definition = (): CohortDefinition | undefined => definitionOfList(props)
  const store = async (name: string) => {
    const value = definition()
    return value && (await cohortsClient.create({ name, content: { case: 'definition', value } })).cohort
  }
  const isEmpty = (): boolean =>
    props.search === '' && props.filters.length === 0 && props.cohorts.length === 0
  const reason = (): string | undefined => {
    if (definition()) return undefined
    return t(isEmpty() ? 'cohorts.saveNothing' : 'cohorts.saveOthers')
  }
  return (
    <Show when={may(CohortsService.method.create)}>
      <span data-tip={reason()}>
        <Button
          icon={<UsersRound />}
          isDisabled={reason() !== undefined}
          aria-description={reason()}
          onClick={() => setOpen(true)}
        >
          {t('cohorts.saveAs')}
        </Button>
      </span>
      <Show when={isOpen()}>
        <SaveCohortDialog
          text={t('cohorts.saveConditionsText')}
          store={store}
          onClose={() => setOpen(false)}
        />
      </Show>
    </Show>
  )
}
