import Plus from 'lucide-solid/icons/plus'
import Trash from 'lucide-solid/icons/trash'
import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useKeys } from '../../context/keys.ts'
import { navigate } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAge } from '../../format/ago.ts'
import { t } from '../../i18n/translate.ts'
import { writeQuery } from '../../insights/query-address.ts'
import {
  type RecentInsight,
  readRecentInsights,
  withRecent,
  writeRecentInsights,
} from '../../insights/recent-insights.ts'
import { TabIcon } from '../../insights/result/tab-icons.tsx'
import { encodeDraft } from '../../insights/spec.ts'
import { type Template, templatesFor } from '../../insights/templates.ts'
import { TAB_ENTRIES, type Tab } from '../../insights/types/insight-types.ts'
import { TABS } from '../../insights/types/tabs.ts'
import { createCatalog } from '../../picker/catalog.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { showUndo } from '../../ui/toast.tsx'
import { type ListedInsight, listInsights, matchInsights } from './listed-insights.ts'
import { SavedList } from './saved-list.tsx'
import './insights-list.css'

/** The insights of this browser, and ways to begin another. */
export function InsightsList(): JSX.Element {
  const workspace = useWorkspace()
  const catalog = createCatalog()
  catalog.load()
  const path = (): string => `/p/${workspace().project.id}/insights`
  const openNew = (tab: Tab): void => void navigate(`${path()}?new=${tab}`)
  useKeys([{ keys: 'n', label: t('insights.newInsight'), run: () => openNew('trends') }])
  return (
    <div class="insights" data-page="full">
      <PageBar>
        <h1>{t('shell.insights')}</h1>
        <Menu
          trigger={(attributes) => (
            <Button {...attributes} tone="primary" icon={<Plus />}>
              {t('insights.newInsight')}
            </Button>
          )}
          entries={TABS.map((tab) => ({
            label: t(TAB_ENTRIES[tab].name),
            icon: () => <TabIcon tab={tab} />,
            href: `${path()}?new=${tab}`,
          }))}
        />
      </PageBar>
      <div class="insights-templates">
        <For each={templatesFor(catalog.entries())}>
          {(template) => <TemplateCard template={template} path={path()} />}
        </For>
      </div>
      <SavedList />
      <RecentInsights projectId={workspace().project.id} path={path()} />
    </div>
  )
}

function TemplateCard(props: { readonly template: Template; readonly path: string }): JSX.Element {
  const href = (): string => {
    const { draft, period, granularity, view, name } = props.template
    const spec = JSON.stringify(encodeDraft(draft))
    const query = writeQuery({ spec, period, granularity, compare: 'none' })
    return `${props.path}?${new URLSearchParams({ ...query, view, name: t(name) })}`
  }
  return (
    <a class="template" href={href()}>
      <span class="template-icon">
        <TabIcon tab={props.template.tab} />
      </span>
      <span class="template-words">
        <strong>{t(props.template.name)}</strong>
        <span class="template-text">{props.template.text}</span>
      </span>
      <TemplateDrawing tab={props.template.tab} />
    </a>
  )
}

/** An example of what the insight looks like. */
function TemplateDrawing(props: { readonly tab: Tab }): JSX.Element {
  const paths = {
    funnel: 'M2 2H14V34H2ZM20 14H32V34H20ZM38 20H50V34H38ZM56 26H68V34H56Z',
    retention: 'M2 2L14 18L26 23L38 26L50 27L68 28L68 34L2 34Z',
  } as const
  const bars = 'M2 22H12V34H2ZM16 16H26V34H16ZM30 20H40V34H30ZM44 8H54V34H44ZM58 4H68V34H58Z'
  const path = (): string => (props.tab === 'funnel' || props.tab === 'retention' ? paths[props.tab] : bars)
  return (
    <svg class="template-drawing" viewBox="0 0 70 36" aria-hidden="true">
      <path d={path()} />
    </svg>
  )
}

function RecentInsights(props: { readonly projectId: string; readonly path: string }): JSX.Element {
  const [kept, setKept] = createSignal(readRecentInsights(props.projectId))
  const [search, setSearch] = createSignal('')
  const [tab, setTab] = createSignal<Tab | 'all'>('all')
  const listed = createMemo(() => listInsights(kept()))
  const shown = createMemo(() => matchInsights(listed(), { search: search(), tab: tab() }))
  const write = (list: readonly RecentInsight[]): void => {
    writeRecentInsights(props.projectId, list)
    setKept(list)
  }
  const remove = (row: ListedInsight): void => {
    write(kept().filter(({ address }) => address !== row.address))
    showUndo(t('insights.removed', { name: row.title }), () => write(withRecent(kept(), row, row.address)))
  }
  return (
    <Show when={listed().length > 0}>
      <h2 class="insights-recent">{t('library.recent')}</h2>
      <div class="insights-filters">
        <SearchInput label={t('insights.search')} placeholder={t('insights.search')} onInput={setSearch} />
        <Select
          label={t('insights.type')}
          labelDisplay="hidden"
          value={tab()}
          options={[
            { value: 'all' as const, label: t('insights.allTypes') },
            ...TABS.map((value) => ({ value, label: t(TAB_ENTRIES[value].name) })),
          ]}
          onChange={setTab}
        />
        <span class="insights-count">{t('insights.count', { count: shown().length })}</span>
      </div>
      <Show
        when={shown().length > 0}
        fallback={<EmptyState title={t('insights.noMatch')} text={t('insights.noMatchText')} />}
      >
        <InsightTable rows={shown()} path={props.path} onRemove={remove} />
      </Show>
      <p class="insights-note">{t('insights.keptHere')}</p>
    </Show>
  )
}

function InsightTable(props: {
  readonly rows: readonly ListedInsight[]
  readonly path: string
  readonly onRemove: (row: ListedInsight) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  const href = ({ address }: ListedInsight): string => `${props.path}?${address}`
  return (
    <div class="ui-card insights-recent-table" data-padding="none">
      <Table
        label={t('shell.insights')}
        rows={props.rows}
        onOpen={(row) => void navigate(href(row))}
        columns={[
          {
            key: 'name',
            title: t('common.name'),
            kind: 'wide',
            cell: (row) => (
              <a class="insights-name" href={href(row)}>
                {row.title}
              </a>
            ),
          },
          {
            key: 'type',
            title: t('insights.type'),
            cell: (row) => (
              <span class="insights-type">
                <TabIcon tab={row.tab} />
                {t(TAB_ENTRIES[row.tab].name)}
              </span>
            ),
          },
          {
            key: 'changed',
            title: t('insights.lastChanged'),
            cell: (row) => formatAge(row.changedMs, { nowMs: nowMs(), timeZone: workspace().timeZone }),
          },
          {
            key: 'actions',
            title: '',
            cell: (row) => (
              <IconButton
                tone="ghost"
                size="small"
                name={t('insights.remove', { name: row.title })}
                onClick={() => props.onRemove(row)}
              >
                <Trash />
              </IconButton>
            ),
          },
        ]}
      />
    </div>
  )
}
