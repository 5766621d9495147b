import { timestampMs } from '@bufbuild/protobuf/wkt'
import { AlertsService } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import Bell from 'lucide-solid/icons/bell'
import Copy from 'lucide-solid/icons/copy'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Star from 'lucide-solid/icons/star'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { navigate } from '../../context/router.ts'
import { readStarred, toggleStar } from '../../context/starred.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatAge } from '../../format/ago.ts'
import { t } from '../../i18n/translate.ts'
import { TabIcon } from '../../insights/result/tab-icons.tsx'
import { decodeSpec } from '../../insights/spec.ts'
import { TAB_ENTRIES } from '../../insights/types/insight-types.ts'
import { tabOf } from '../../insights/types/tabs.ts'
import { DeleteInsight } from '../../library/delete-insight.tsx'
import { createMemberNames } from '../../library/member-names.ts'
import { refreshSaved, savedHref, savedInsightsClient } from '../../library/saved-insights.ts'
import { writeFailure } from '../../rpc/failure-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { firstPoint } from '../alerts/alert-draft.ts'
import { newAlertHref } from '../alerts/alert-list.ts'

/** Saved insights in rows. */
export function SavedTable(props: { readonly rows: readonly SavedInsight[] }): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  const nameOf = createMemberNames(() => props.rows.map(({ updatedBy }) => updatedBy))
  const projectId = (): string => workspace().project.id
  const [deleted, setDeleted] = createSignal<SavedInsight>()
  const columns: readonly Column<SavedInsight>[] = [
    { key: 'star', title: '', cell: (row) => <StarCell insight={row} /> },
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: (row) => <NameCell insight={row} href={savedHref(projectId(), row.id)} />,
    },
    { key: 'type', title: t('insights.type'), cell: (row) => <TypeCell insight={row} /> },
    {
      key: 'changed',
      title: t('insights.lastChanged'),
      cell: ({ updateTime }) =>
        updateTime
          ? formatAge(timestampMs(updateTime), { nowMs: nowMs(), timeZone: workspace().timeZone })
          : '',
    },
    { key: 'by', title: t('library.changedBy'), cell: ({ updatedBy }) => nameOf(updatedBy) },
    {
      key: 'dashboards',
      title: t('library.onDashboards'),
      kind: 'number',
      cell: ({ usedBy }) => usedBy.filter(({ dashboardId }) => dashboardId !== '').length,
    },
    {
      key: 'actions',
      title: '',
      cell: (row) => <RowMenu insight={row} onDelete={() => setDeleted(row)} />,
    },
  ]
  return (
    <div class="ui-card saved-table" data-padding="none">
      <Table
        label={t('library.savedInsights')}
        rows={props.rows}
        onOpen={({ id }) => void navigate(savedHref(projectId(), id))}
        columns={columns}
      />
      <Show when={deleted()} keyed>
        {(insight) => <DeleteInsight insight={insight} onClose={() => setDeleted(undefined)} />}
      </Show>
    </div>
  )
}

function nameOfInsight({ content }: SavedInsight): string {
  return content?.name ?? ''
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
  }
}

function StarCell(props: { readonly insight: SavedInsight }): JSX.Element {
  const workspace = useWorkspace()
  const name = (): string => nameOfInsight(props.insight)
  const toggle = async (): Promise<void> => {
    const { id, isFavorite } = props.insight
    const { id: projectId } = workspace().project
    await savedInsightsClient.setFavorite({ id, isFavorite: !isFavorite })
    // The side bar of this browser has the same stars.
    const path = `insights?saved=${id}`
    const isStarred = readStarred(projectId).some((page) => page.path === path)
    if (isStarred === isFavorite) toggleStar(projectId, { path, name: name(), kind: 'insight' })
    await refreshSaved(projectId)
  }
  return (
    <IconButton
      class="library-star"
      tone="ghost"
      size="small"
      name={t(props.insight.isFavorite ? 'library.unstar' : 'library.star', { name: name() })}
      aria-pressed={props.insight.isFavorite}
      onClick={() => void attempt(toggle)}
    >
      <Star />
    </IconButton>
  )
}

function NameCell(props: { readonly insight: SavedInsight; readonly href: string }): JSX.Element {
  return (
    <span class="library-name">
      <a class="insights-name ui-ellipsis" href={props.href}>
        {nameOfInsight(props.insight)}
      </a>
      <Show when={props.insight.content?.description}>
        {(text) => <span class="library-quiet ui-ellipsis">{text()}</span>}
      </Show>
      <Show when={(props.insight.content?.tags.length ?? 0) > 0}>
        <span class="library-tags">
          <For each={props.insight.content?.tags}>{(tag) => <Badge>{tag}</Badge>}</For>
        </span>
      </Show>
    </span>
  )
}

function TypeCell(props: { readonly insight: SavedInsight }): JSX.Element {
  return (
    <Show when={props.insight.content?.spec}>
      {(spec) => {
        const tab = tabOf(decodeSpec(spec()))
        return (
          <span class="insights-type">
            <TabIcon tab={tab} />
            {t(TAB_ENTRIES[tab].name)}
          </span>
        )
      }}
    </Show>
  )
}

function RowMenu(props: { readonly insight: SavedInsight; readonly onDelete: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const duplicate = async (): Promise<void> => {
    const name = t('library.copyName', { name: nameOfInsight(props.insight) })
    await savedInsightsClient.duplicate({ id: props.insight.id, name })
    await refreshSaved(workspace().project.id)
    showToast({ text: t('library.duplicated', { name }) })
  }
  const alertEntries = (): readonly MenuEntry[] => {
    const { id, content } = props.insight
    if (!content?.spec || !firstPoint(content.spec) || !may(AlertsService.method.create)) return []
    const href = newAlertHref(workspace().project.id, { insight: id })
    return [{ label: t('library.setAlert'), icon: () => <Bell />, href }]
  }
  return (
    <Show when={may(SavedInsightsService.method.delete)}>
      <Menu
        trigger={(attributes) => (
          <IconButton
            {...attributes}
            tone="ghost"
            size="small"
            name={t('library.actions', { name: nameOfInsight(props.insight) })}
          >
            <Ellipsis />
          </IconButton>
        )}
        entries={[
          {
            label: t('library.duplicate'),
            icon: () => <Copy />,
            onSelect: () => void attempt(duplicate),
          },
          ...alertEntries(),
          { label: t('common.delete'), icon: () => <Trash />, onSelect: () => props.onDelete() },
        ]}
      />
    </Show>
  )
}
