import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import { createMemo, createSignal, type JSX, onCleanup, onMount, Show, Suspense, untrack } from 'solid-js'
import { currentLocation, stateBrokenLink } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import type { SavedInsight } from '../../dashboards/tile-view.ts'
import { t } from '../../i18n/translate.ts'
import { createInsightEditor, type InsightEditor } from '../../insights/insight-editor.ts'
import { QueryPanel } from '../../insights/panel/query-panel.tsx'
import { loadRules } from '../../insights/precheck.ts'
import { hasBrokenSpec, isBroken, readQuery } from '../../insights/query-address.ts'
import { Result } from '../../insights/result/result.tsx'
import { TabIcon } from '../../insights/result/tab-icons.tsx'
import { titleOf } from '../../insights/spec.ts'
import { newInsight } from '../../insights/templates.ts'
import { TAB_ENTRIES, type Tab } from '../../insights/types/insight-types.ts'
import { switchTab, TABS, tabOf } from '../../insights/types/tabs.ts'
import { createSavedControls } from '../../library/saved-controls.ts'
import { type Catalog, createCatalog } from '../../picker/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { lazy } from '../../ui/lazy.ts'
import { PageBar } from '../../ui/page-bar.tsx'
import { SkeletonChart } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BuilderHead } from './builder-head.tsx'
import './builder.css'

const SaveToDashboard = lazy(async () => ({
  default: (await import('../../dashboards/save-to-dashboard.tsx')).SaveToDashboard,
}))
const TileQueryHead = lazy(async () => ({
  default: (await import('../../dashboards/tile-query-head.tsx')).TileQueryHead,
}))

/** From this width on the query is beside its answer; below it is a sheet. */
const wide = matchMedia('(min-width: 1024px)')

/** Edits the insight of the address, and shows its answer. */
export function BuilderPage(): JSX.Element {
  const catalog = createCatalog()
  catalog.load()
  const { query } = untrack(currentLocation)
  if (hasBrokenSpec(query)) showToast({ text: t('insights.broken'), tone: 'bad', duration: 'long' })
  else stateBrokenLink(isBroken)
  const isAddressed = readQuery(query).spec !== undefined
  // A new insight starts with the most frequent event, so it waits for the names.
  const isReady = createMemo<boolean>((before) => before || isAddressed || !catalog.isLoading(), false)
  return (
    <Show when={isReady()} fallback={<SkeletonChart />}>
      <LoadedBuilder catalog={catalog} tab={readTab(query.get('new'))} />
    </Show>
  )
}

function readTab(text: string | null): Tab {
  return TABS.find((tab) => tab === text) ?? 'trends'
}

function LoadedBuilder(props: { readonly catalog: Catalog; readonly tab: Tab }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const fresh = () => {
    const { excludeBots } = workspace().project
    return newInsight(props.catalog.entries(), { tab: props.tab, excludeBots })
  }
  const editor = createInsightEditor(fresh)
  const controls = createSavedControls(editor)
  const [isAdding, setAdding] = createSignal(false)
  const saved = (): SavedInsight => ({ ...editor.query(), view: editor.view() })
  // With unsaved changes, a tile would show another query than the builder.
  const followed = (): string | undefined => (controls.hasChanges() ? undefined : controls.insight()?.id)
  return (
    <div class="insight" data-page="full">
      <Show
        when={may(DashboardsService.method.upsert) && editor.tile()}
        fallback={<BuilderHead editor={editor} saved={controls} onAdd={() => setAdding(true)} />}
      >
        {(id) => (
          <Suspense fallback={<PageBar class="insight-head" />}>
            <TileQueryHead id={id()} {...saved()} />
          </Suspense>
        )}
      </Show>
      <TypeTabs editor={editor} />
      <div class="insight-body">
        <PanelPlace editor={editor} catalog={props.catalog} />
        <Result editor={editor} catalog={props.catalog} />
      </div>
      <p class="ui-hidden" role="status">
        {editor.answer.answered() && !editor.answer.isRunning() ? t('insights.answerUpdated') : ''}
      </p>
      <Show when={isAdding()}>
        <Suspense>
          <SaveToDashboard {...saved()} savedInsightId={followed()} onClose={() => setAdding(false)} />
        </Suspense>
      </Show>
    </div>
  )
}

function TypeTabs(props: { readonly editor: InsightEditor }): JSX.Element {
  const { editor } = props
  return (
    <div class="insight-tabs">
      <Tabs
        label={t('insights.types')}
        choices={TABS.map((tab) => ({
          value: tab,
          label: t(TAB_ENTRIES[tab].name),
          icon: <TabIcon tab={tab} />,
        }))}
        value={tabOf(editor.draft())}
        onChange={(tab) => editor.change({ draft: switchTab(editor.draft(), tab), view: null })}
      />
    </div>
  )
}

/** The query beside its answer; on narrow pages in a sheet, behind a line that summarises it. */
function PanelPlace(props: { readonly editor: InsightEditor; readonly catalog: Catalog }): JSX.Element {
  const [isWide, setWide] = createSignal(wide.matches)
  const [isOpen, setOpen] = createSignal(false)
  const follow = (event: MediaQueryListEvent): void => void setWide(event.matches)
  onMount(() => wide.addEventListener('change', follow))
  onCleanup(() => wide.removeEventListener('change', follow))
  return (
    <Show
      when={isWide()}
      fallback={
        <div class="insight-folded">
          {/* Without a name, the heading describes the query. */}
          <span class="insight-summary">
            {props.editor.state().name === '' ? t('insights.query') : titleOf(props.editor.draft())}
          </span>
          <Button size="small" icon={<SlidersHorizontal />} onClick={() => setOpen(true)}>
            {t('common.edit')}
          </Button>
          <Drawer title={t('insights.query')} padding="none" isOpen={isOpen()} onClose={() => setOpen(false)}>
            <QueryPanel editor={props.editor} catalog={props.catalog} />
          </Drawer>
        </div>
      }
    >
      <section class="insight-panel" aria-label={t('insights.query')} onFocusIn={() => void loadRules()}>
        <QueryPanel editor={props.editor} catalog={props.catalog} />
      </section>
    </Show>
  )
}
