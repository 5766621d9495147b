import {
  DefinitionFormat,
  DictionaryService,
} from '@contract/millrace/dictionary/v1/dictionary_service_pb.js'
import Braces from 'lucide-solid/icons/braces'
import Download from 'lucide-solid/icons/download'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import Upload from 'lucide-solid/icons/upload'
import Zap from 'lucide-solid/icons/zap'
import { createEffect, createMemo, createSignal, type JSX, on, Show, Suspense } from 'solid-js'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { createPaging } from '../../people/paged-list.tsx'
import { createSettled } from '../../people/settled.ts'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { SearchInput, Switch } from '../../ui/input.tsx'
import { lazy } from '../../ui/lazy.ts'
import { PageBar } from '../../ui/page-bar.tsx'
import { saveCsvFile } from '../../ui/save-file.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { showToast } from '../../ui/toast.tsx'
import '../../people/people.css'
import './dictionary.css'
import './messages.ts'
import '../warnings/messages.ts'
import { NameDrawer } from './name-drawer.tsx'
import { NameList } from './name-list.tsx'
import { dictionaryClient, type NameQuery, type NameTab, refreshDictionary, STATES } from './names.ts'
import { NearDuplicatesCard } from './near-duplicates-card.tsx'

const WEEK_MS = 7 * 24 * 3_600_000

/** Loaded when it is opened: most people look at names. */
const WarningsView = lazy(async () => ({
  default: (await import('../warnings/warnings-view.tsx')).WarningsView,
}))

/** The lists of the page. */
type DataTab = NameTab | 'warnings'

/** What arrives: the names of the project and what people know about them, and what ingestion warns of. */
export function DictionaryPage(): JSX.Element {
  const tab = (): DataTab => {
    const list = currentLocation().query.get('list')
    return list === 'properties' || list === 'warnings' ? list : 'events'
  }
  return (
    <div class="dictionary-page" data-page="full">
      <PageBar>
        <h1>{t(tab() === 'warnings' ? 'warnings.label' : 'dictionary.title')}</h1>
        <Show when={tab() !== 'warnings'}>
          <Files />
        </Show>
      </PageBar>
      <Tabs
        label={t('dictionary.title')}
        choices={[
          { value: 'events', label: t('dictionary.events'), icon: <Zap /> },
          { value: 'properties', label: t('dictionary.properties'), icon: <Braces /> },
          { value: 'warnings', label: t('warnings.tab'), icon: <TriangleAlert /> },
        ]}
        value={tab()}
        onChange={(list) => replaceParameters({ list, name: '', warning: '' })}
      />
      <Show
        when={tab() === 'warnings'}
        fallback={<Names tab={tab() === 'properties' ? 'properties' : 'events'} />}
      >
        <Suspense fallback={<SkeletonLines count={12} heightPx={28} />}>
          <WarningsView />
        </Suspense>
      </Show>
    </div>
  )
}

/** The names of one kind, and one of them open beside the list. */
function Names(props: { readonly tab: NameTab }): JSX.Element {
  const workspace = useWorkspace()
  const [search, setSearch] = createSignal('')
  const settledSearch = createSettled(search)
  const [state, setState] = createSignal('any')
  const [isNew, setNew] = createSignal(false)
  const weekStartMs = Date.now() - WEEK_MS
  const paging = createPaging()
  const opened = (): string => currentLocation().query.get('name') ?? ''
  const query = createMemo(
    (): NameQuery => ({
      tab: props.tab,
      search: settledSearch(),
      state: STATES.find(({ value }) => String(value) === state())?.value,
      newSinceMs: isNew() ? weekStartMs : undefined,
      pageToken: paging.token(),
    }),
  )
  createEffect(
    on([() => props.tab, settledSearch, state, isNew, () => workspace().project.id], paging.reset, {
      defer: true,
    }),
  )
  return (
    <>
      <div class="dictionary-line">
        <SearchInput
          label={t('dictionary.search')}
          placeholder={t('dictionary.search')}
          onInput={setSearch}
        />
        <Select
          label={t('dictionary.state')}
          labelDisplay="hidden"
          value={state()}
          options={[
            { value: 'any', label: t('dictionary.anyState') },
            ...STATES.filter((_, at) => props.tab === 'events' || at < STATES.length - 1).map(
              ({ value, label }) => ({
                value: String(value),
                label: t(label),
              }),
            ),
          ]}
          onChange={setState}
        />
        <Switch label={t('dictionary.newThisWeek')} isChecked={isNew()} onChange={setNew} />
      </div>
      <Show when={props.tab === 'events'}>
        <NearDuplicatesCard />
      </Show>
      <NameList query={query()} paging={paging} onOpen={(name) => replaceParameters({ name })} />
      <Show when={opened() !== '' && `${props.tab} ${opened()}`} keyed>
        <NameDrawer tab={props.tab} name={opened()} onClose={() => replaceParameters({ name: '' })} />
      </Show>
    </>
  )
}

/** The definitions as a file, to save and to read. */
function Files(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const saving = createAction()
  const reading = createAction()
  let input: HTMLInputElement | undefined
  const save = async (): Promise<void> => {
    const { csv } = await dictionaryClient.exportDefinitions({ format: DefinitionFormat.CSV })
    saveCsvFile([csv], 'dictionary.csv')
  }
  const read = async (file: File): Promise<void> => {
    const { changedCount } = await dictionaryClient.importDefinitions({ csv: await file.text() })
    showToast({ text: t('dictionary.imported', { count: changedCount }), tone: 'good' })
    await refreshDictionary(workspace().project.id)
  }
  return (
    <>
      <Show when={saving.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <Show when={reading.failure()}>
        {(failure) => <ErrorState title={t('dictionary.importFailed')} error={failure()} />}
      </Show>
      <Button
        class="icon-on-phones"
        icon={<Download />}
        isLoading={saving.isRunning()}
        onClick={() => saving.run(save)}
      >
        {t('dictionary.export')}
      </Button>
      <Show when={may(DictionaryService.method.importDefinitions)}>
        <Button
          class="icon-on-phones"
          icon={<Upload />}
          isLoading={reading.isRunning()}
          onClick={() => input?.click()}
        >
          {t('dictionary.import')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv"
          hidden
          aria-label={t('dictionary.import')}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file) reading.run(async () => await read(file))
          }}
        />
      </Show>
    </>
  )
}
