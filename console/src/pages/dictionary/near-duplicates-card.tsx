import {
  DictionaryService,
  type NearDuplicates,
} from '@contract/millrace/dictionary/v1/dictionary_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import './messages.ts'
import { dictionaryClient, dictionaryKey, refreshDictionary } from './names.ts'

/** Groups that are shown at once: a short card above the list. */
const GROUPS_MAX = 5

/** Kinds that may be the same, for those who may merge them; nothing when there are none. */
export function NearDuplicatesCard(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const groups = useQuery(() => ({
    queryKey: [...dictionaryKey(workspace().project.id), 'near-duplicates'],
    queryFn: async () => (await dictionaryClient.listNearDuplicates({})).groups,
    enabled: may(DictionaryService.method.mergeNames),
    structuralSharing: false,
  }))
  const shown = (): readonly NearDuplicates[] =>
    groups.isSuccess ? unwrap(groups.data).slice(0, GROUPS_MAX) : []
  const merge = async ([into, ...others]: readonly string[]): Promise<void> => {
    if (into === undefined) return
    await dictionaryClient.mergeNames({ into, names: others })
    showToast({ text: t('dictionary.mergedToast', { name: into }), tone: 'good' })
    await refreshDictionary(workspace().project.id)
  }
  const ignore = async (names: readonly string[]): Promise<void> => {
    await dictionaryClient.ignoreNearDuplicates({ names: [...names] })
    await refreshDictionary(workspace().project.id)
  }
  return (
    <Show when={shown().length > 0}>
      <section class="ui-card dictionary-duplicates">
        <h2>{t('dictionary.duplicates')}</h2>
        <p>{t('dictionary.duplicatesText')}</p>
        <Show when={action.failure()}>
          {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
        </Show>
        <For each={shown()}>
          {({ events }) => {
            const names = events.map(({ name }) => name)
            return (
              <div class="dictionary-group">
                <span>
                  <For each={events}>
                    {({ name, recentCount }) => (
                      <code>
                        {name} <small>{formatNumber(recentCount)}</small>
                      </code>
                    )}
                  </For>
                </span>
                <Button
                  size="small"
                  isLoading={action.isRunning()}
                  onClick={() => action.run(async () => await merge(names))}
                >
                  {t('dictionary.merge')}
                </Button>
                <Button
                  size="small"
                  tone="ghost"
                  isLoading={action.isRunning()}
                  onClick={() => action.run(async () => await ignore(names))}
                >
                  {t('dictionary.ignore')}
                </Button>
              </div>
            )
          }}
        </For>
      </section>
    </Show>
  )
}
