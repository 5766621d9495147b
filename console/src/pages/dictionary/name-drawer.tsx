import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { NameState } from '@contract/millrace/dictionary/v1/dictionary_pb.js'
import { DictionaryService } from '@contract/millrace/dictionary/v1/dictionary_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatMoment, formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { parseTags } from '../../library/tags.ts'
import { labelOfEvent, labelOfProperty } from '../../picker/names.ts'
import { answerOf } from '../../rpc/query-client.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Input, TextArea } from '../../ui/input.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { Merging } from './merging.tsx'
import './messages.ts'
import {
  dictionaryClient,
  dictionaryKey,
  type ListedName,
  type NameTab,
  refreshDictionary,
  STATES,
} from './names.ts'

/** A name with what it goes along with. */
interface OpenedName {
  readonly name: ListedName
  /** The properties of an event, or the events that carry a property. */
  readonly others: readonly ListedName[]
  readonly samples: readonly string[]
}

async function readName(tab: NameTab, name: string): Promise<OpenedName | null> {
  if (tab === 'events') {
    const { event, properties } = await dictionaryClient.getEvent({ name })
    return event ? { name: event, others: properties, samples: [] } : null
  }
  const { property, events, samples } = await dictionaryClient.getProperty({ name })
  return property ? { name: property, others: events, samples } : null
}

/** Shows a name, and changes what people know about it. */
export function NameDrawer(props: {
  readonly tab: NameTab
  readonly name: string
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const opened = useQuery(() => ({
    queryKey: [...dictionaryKey(workspace().project.id), 'one', props.tab, props.name],
    queryFn: async () => await readName(props.tab, props.name),
    structuralSharing: false,
    // Read anew whenever the drawer opens, which copies it into its form.
    gcTime: 0,
    staleTime: 0,
  }))
  return (
    <Drawer title={props.name} isOpen onClose={props.onClose}>
      <Show when={opened.isError && opened.error}>
        {(error) => <ErrorState title={t('dictionary.failed')} error={error()} />}
      </Show>
      <Show when={opened.isPending}>
        <SkeletonLines count={8} heightPx={28} />
      </Show>
      <Show when={answerOf(opened)}>
        {(data) => (
          <div class="dictionary-drawer">
            <Facts name={unwrap(data()).name} />
            <DefinitionForm tab={props.tab} name={unwrap(data()).name} />
            <Show when={props.tab === 'events'}>
              <Merging name={unwrap(data()).name} />
            </Show>
            <Show when={data().samples.length > 0}>
              <section>
                <h3>{t('dictionary.samples')}</h3>
                <ul class="dictionary-samples">
                  <For each={data().samples}>{(sample) => <li class="ui-ellipsis">{sample}</li>}</For>
                </ul>
              </section>
            </Show>
            <Show when={data().others.length > 0}>
              <Others tab={props.tab} names={unwrap(data()).others} />
            </Show>
          </div>
        )}
      </Show>
    </Drawer>
  )
}

/** Names of properties of page and visit begin with a dollar sign. */
function titleOfProperty(name: string): string {
  const source = name.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return labelOfProperty({ property: name, source })
}

/** How often and when a name was used. */
function Facts(props: { readonly name: ListedName }): JSX.Element {
  const workspace = useWorkspace()
  const moment = (time: Timestamp | undefined): string =>
    time ? formatMoment(timestampMs(time), workspace().timeZone) : NO_VALUE
  const facts = (): readonly (readonly [title: string, value: string])[] => [
    [t('dictionary.volume'), formatNumber(props.name.recentCount)],
    [t('dictionary.firstSeen'), moment(props.name.firstSeenTime)],
    [t('dictionary.lastSeen'), moment(props.name.lastSeenTime)],
  ]
  return (
    <dl class="people-facts">
      <For each={facts()}>
        {([title, value]) => (
          <div>
            <dt>{title}</dt>
            <dd class="ui-tabular">{value}</dd>
          </div>
        )}
      </For>
    </dl>
  )
}

/** The properties of an event, or the events that carry a property, with their numbers of events. */
function Others(props: { readonly tab: NameTab; readonly names: readonly ListedName[] }): JSX.Element {
  const title = (): string => t(props.tab === 'events' ? 'dictionary.properties' : 'dictionary.kinds')
  const label = ({ name, definition }: ListedName): string => {
    if (definition?.displayName) return definition.displayName
    return props.tab === 'events' ? titleOfProperty(name) : labelOfEvent(name)
  }
  return (
    <section>
      <h3>{title()}</h3>
      <dl class="people-facts dictionary-others" aria-label={title()}>
        <For each={props.names}>
          {(other) => (
            <div>
              <dt>
                {label(other)}
                <Show when={label(other) !== other.name}>
                  <code>{other.name}</code>
                </Show>
              </dt>
              <dd class="ui-tabular">{formatNumber(other.recentCount)}</dd>
            </div>
          )}
        </For>
      </dl>
    </section>
  )
}

function DefinitionForm(props: { readonly tab: NameTab; readonly name: ListedName }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const { definition, name } = props.name
  const [displayName, setDisplayName] = createSignal(definition?.displayName ?? '')
  const [description, setDescription] = createSignal(definition?.description ?? '')
  const [owner, setOwner] = createSignal(definition?.owner ?? '')
  const [tags, setTags] = createSignal(definition?.tags.join(', ') ?? '')
  const [state, setState] = createSignal(String(definition?.state ?? NameState.UNREVIEWED))
  const mayChange = (): boolean => may(DictionaryService.method.updateEvent)
  const save = async (): Promise<void> => {
    const request = {
      name,
      definition: {
        displayName: displayName(),
        description: description(),
        owner: owner(),
        tags: parseTags(tags()),
        state: Number(state()) as NameState,
      },
    }
    if (props.tab === 'events') await dictionaryClient.updateEvent(request)
    else await dictionaryClient.updateProperty(request)
    showToast({ text: t('dictionary.saved'), tone: 'good' })
    await refreshDictionary(workspace().project.id)
  }
  const hint = (): string | undefined => {
    if (state() === String(NameState.BLOCKED)) return t('dictionary.blockedHint')
    return state() === String(NameState.HIDDEN) ? t('dictionary.hiddenHint') : undefined
  }
  return (
    <form
      class="dictionary-form"
      onSubmit={(event) => {
        event.preventDefault()
        action.run(save)
      }}
    >
      <Input
        label={t('dictionary.displayName')}
        value={displayName()}
        placeholder={name}
        maxlength={200}
        readOnly={!mayChange()}
        onInput={setDisplayName}
      />
      <TextArea
        label={t('dictionary.description')}
        value={description()}
        readOnly={!mayChange()}
        onInput={setDescription}
      />
      <Input
        label={t('dictionary.owner')}
        value={owner()}
        maxlength={200}
        readOnly={!mayChange()}
        onInput={setOwner}
      />
      <Input
        label={t('dictionary.tags')}
        hint={t('dictionary.tagsHint')}
        value={tags()}
        readOnly={!mayChange()}
        onInput={setTags}
      />
      <Select
        label={t('dictionary.state')}
        value={state()}
        isDisabled={!mayChange()}
        options={STATES.filter(({ value }) => props.tab === 'events' || value !== NameState.BLOCKED).map(
          ({ value, label }) => ({ value: String(value), label: t(label) }),
        )}
        onChange={setState}
      />
      <Show when={hint()}>{(text) => <p>{text()}</p>}</Show>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Show when={mayChange()}>
        <div>
          <Button tone="primary" type="submit" isLoading={action.isRunning()}>
            {t('common.save')}
          </Button>
        </div>
      </Show>
    </form>
  )
}
