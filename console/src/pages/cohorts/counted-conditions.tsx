import { useQuery, useQueryClient } from '@tanstack/solid-query'
import { createMemo, Index, type JSX, Show } from 'solid-js'
import { nameOfCohort } from '../../cohorts/cohort-chips.tsx'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { seriesLetter } from '../../insights/model/series.ts'
import { createSettled } from '../../people/settled.ts'
import { createCatalog } from '../../picker/catalog.ts'
import { LetterBadge } from '../../ui/badge.tsx'
import { type DefinitionDraft, definitionsByRow } from './cohort-draft.ts'
import { countQuery, keyOfPeople } from './count-people.ts'
import { type ConditionNames, describeRow } from './describe-condition.ts'

/** Each number is a query of its own; the people of a longer definition are counted as a whole only. */
const ROWS_MAX = 8

/** The number of people after each condition, in their order; nothing for a single one. */
export function CountedConditions(props: { readonly draft: DefinitionDraft | undefined }): JSX.Element {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const catalog = createCatalog()
  const list = createCohortList()
  const names: ConditionNames = {
    nameOfCohort: (id) => nameOfCohort(list.cohorts() ?? [], id),
    typeOf: (property) => catalog.typeOf(property),
  }
  const counted = createMemo(() => (props.draft ? definitionsByRow(props.draft) : []))
  const isShown = (): boolean => counted().length > 1 && counted().length <= ROWS_MAX
  const keys = (): string =>
    isShown() ? JSON.stringify(counted().map(({ definition }) => keyOfPeople({ definition }))) : ''
  const settled = createSettled(keys)
  const counts = useQuery(() => {
    const projectId = workspace().project.id
    const text = settled()
    return {
      queryKey: ['cohort-counts', projectId, text],
      queryFn: async (): Promise<readonly number[]> =>
        await Promise.all(
          (JSON.parse(text) as readonly string[]).map(
            async (key) => await queries.fetchQuery(countQuery(projectId, key)),
          ),
        ),
      enabled: text !== '',
      placeholderData: (before: readonly number[] | undefined) => before,
    }
  })
  const countAt = (at: number): string => {
    const count = counts.isSuccess ? counts.data[at] : undefined
    return count === undefined ? NO_VALUE : formatNumber(count)
  }
  return (
    <Show when={isShown()}>
      <ol class="cohorts-counts" aria-label={t('cohorts.afterEach')}>
        <Index each={counted()}>
          {(row, at) => (
            <li>
              <LetterBadge letter={seriesLetter(row().at)} />
              <span>{describeRow(row().row, names)}</span>
              <b class="ui-tabular">{countAt(at)}</b>
            </li>
          )}
        </Index>
      </ol>
    </Show>
  )
}
