import { DictionaryService } from '@contract/millrace/dictionary/v1/dictionary_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import ChevronsUpDown from 'lucide-solid/icons/chevrons-up-down'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { labelOfEvent } from '../../picker/names.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { FieldBox } from '../../ui/input.tsx'
import type { Option } from '../../ui/list-picker.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import './messages.ts'
import { dictionaryClient, dictionaryKey, type ListedName, readNames, refreshDictionary } from './names.ts'

/** The kinds that count as this one, or the kind that it counts as. */
export function Merging(props: { readonly name: ListedName }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const [target, setTarget] = createSignal<string>()
  const merged = (): readonly string[] => ('mergedNames' in props.name ? props.name.mergedNames : [])
  const into = (): string => ('mergedInto' in props.name ? props.name.mergedInto : '')
  const mayChange = (): boolean => may(DictionaryService.method.mergeNames)
  const split = async (names: readonly string[]): Promise<void> => {
    await dictionaryClient.splitNames({ names: [...names] })
    await refreshDictionary(workspace().project.id)
  }
  const merge = async (name: string): Promise<void> => {
    await dictionaryClient.mergeNames({ into: name, names: [props.name.name] })
    showToast({ text: t('dictionary.mergedToast', { name: labelOfEvent(name) }), tone: 'good' })
    await refreshDictionary(workspace().project.id)
  }
  const SplitButton = (own: { readonly names: readonly string[] }): JSX.Element => (
    <Show when={mayChange()}>
      <Button
        size="small"
        isLoading={action.isRunning()}
        onClick={() => action.run(async () => await split(own.names))}
      >
        {t('dictionary.split')}
      </Button>
    </Show>
  )
  return (
    <section class="dictionary-merging">
      <Show when={merged().length > 0}>
        <h3>{t('dictionary.merged')}</h3>
        <For each={merged()}>
          {(name) => (
            <div class="dictionary-group">
              <code>{name}</code>
              <SplitButton names={[name]} />
            </div>
          )}
        </For>
      </Show>
      <Show
        when={into()}
        fallback={
          <Show when={mayChange()}>
            <div class="dictionary-target">
              <TargetField name={props.name.name} value={target()} onChange={setTarget} />
              <Button
                isDisabled={target() === undefined}
                isLoading={action.isRunning()}
                onClick={() => action.run(async () => await merge(target() ?? ''))}
              >
                {t('dictionary.merge')}
              </Button>
            </div>
          </Show>
        }
      >
        {(name) => (
          <div class="dictionary-group">
            <span>{t('dictionary.mergedInto', { name: name() })}</span>
            <SplitButton names={[props.name.name]} />
          </div>
        )}
      </Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </section>
  )
}

/** Chooses another event of the project; the service searches them. */
function TargetField(props: {
  /** The event that is merged; it is not on offer. */
  readonly name: string
  readonly value: string | undefined
  readonly onChange: (name: string) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const [search, setSearch] = createSignal('')
  const [isOpen, setOpen] = createSignal(false)
  const found = useQuery(() => ({
    queryKey: [...dictionaryKey(workspace().project.id), 'targets', search()],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      await readNames(
        { tab: 'events', search: search(), state: undefined, newSinceMs: undefined, pageToken: '' },
        signal,
      ),
    enabled: isOpen(),
    structuralSharing: false,
    placeholderData: (before) => before,
  }))
  const options = (): readonly Option[] => {
    const names = found.isSuccess ? found.data.names : []
    return names
      .filter((other) => other.name !== props.name && !('mergedInto' in other && other.mergedInto))
      .map(({ name, definition, recentCount }) => ({
        value: name,
        label: definition?.displayName || labelOfEvent(name),
        count: Number(recentCount),
      }))
  }
  const label = (): string =>
    props.value === undefined ? t('picker.chooseEvent') : labelOfEvent(props.value)
  return (
    <FieldBox label={t('dictionary.mergeInto')}>
      {(ids) => (
        <Combobox
          label={t('dictionary.mergeInto')}
          options={options()}
          value={props.value}
          isOpen={isOpen()}
          onOpenChange={setOpen}
          onSearch={setSearch}
          isLoading={found.isFetching}
          onChange={props.onChange}
          trigger={(attributes) => (
            <Button
              {...attributes}
              id={ids().id}
              class="ui-select"
              aria-label={`${t('dictionary.mergeInto')}: ${label()}`}
            >
              <span class={props.value === undefined ? 'ui-select-placeholder' : 'ui-ellipsis'}>
                {label()}
              </span>
              <ChevronsUpDown />
            </Button>
          )}
        />
      )}
    </FieldBox>
  )
}
