import type { AuditEntry } from '@contract/millrace/audit/v1/audit_log_service_pb.js'
import { dateOf } from '@domain/calendar.ts'
import { useQuery } from '@tanstack/solid-query'
import Download from 'lucide-solid/icons/download'
import ScrollText from 'lucide-solid/icons/scroll-text'
import { createEffect, createMemo, type JSX, Match, on, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { createClock } from '../../context/clock.ts'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { createPaging, Pager } from '../../people/paged-list.tsx'
import { createAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import '../../people/people.css'
import './audit.css'
import { AuditFilters } from './audit-filters.tsx'
import { ENTRIES_PER_PAGE, exportEntries, readEntries } from './audit-query.ts'
import { AuditTable } from './audit-table.tsx'
import { filterOf, isFiltered, NO_FILTERS, readView } from './audit-view.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import './messages.ts'

/** What people and programs did in the organisation, the latest first; one entry open beside the list. */
export function AuditPage(): JSX.Element {
  const workspace = useWorkspace()
  const paging = createPaging()
  const nowMs = createClock()
  const today = createMemo(() => dateOf(nowMs(), workspace().timeZone))
  const view = createMemo(() => readView(currentLocation().query))
  const request = createMemo(() => ({
    orgId: workspace().org.id,
    filter: filterOf(view(), { today: today(), timeZone: workspace().timeZone }),
  }))
  const key = createMemo(() => JSON.stringify([request().orgId, view(), today()]))
  createEffect(on(key, paging.reset, { defer: true }))
  const list = useQuery(() => ({
    queryKey: ['audit', key(), paging.token()],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      await readEntries({ ...request(), pageToken: paging.token() }, signal),
    structuralSharing: false,
  }))
  const entries = (): readonly AuditEntry[] => (list.isSuccess ? unwrap(list.data).entries : [])
  return (
    <Card title={t('audit.title')} padding="none" actions={<ExportButton request={request()} />}>
      <p class="settings-text settings-pad">{t('audit.text')}</p>
      <AuditFilters view={view()} entries={entries()} today={today()} />
      <Switch fallback={<SkeletonLines count={12} heightPx={28} />}>
        <Match when={list.isError && list.error}>
          {(error) => (
            <ErrorState title={t('audit.failed')} error={error()} onRetry={() => void list.refetch()} />
          )}
        </Match>
        <Match when={list.isSuccess && entries().length === 0}>
          <NoEntries isFiltered={isFiltered(view())} />
        </Match>
        <Match when={list.isSuccess && list.data}>
          {(page) => (
            <>
              <AuditTable entries={entries()} openId={openId()} onOpen={open} />
              <Pager
                paging={paging}
                pageSize={ENTRIES_PER_PAGE}
                shown={entries().length}
                total={undefined}
                nextToken={page().nextPageToken}
              />
            </>
          )}
        </Match>
      </Switch>
      <Show when={openId() !== '' && list.isSuccess}>
        <EntryDrawer entries={entries()} id={openId()} onOpen={open} onClose={() => open('')} />
      </Show>
    </Card>
  )
}

function openId(): string {
  return currentLocation().query.get('entry') ?? ''
}

function open(entry: string): void {
  replaceParameters({ entry })
}

function NoEntries(props: { readonly isFiltered: boolean }): JSX.Element {
  return (
    <Show
      when={props.isFiltered}
      fallback={<EmptyState icon={<ScrollText />} title={t('audit.none')} text={t('audit.noneText')} />}
    >
      <EmptyState
        icon={<ScrollText />}
        title={t('audit.noMatch')}
        actions={<Button onClick={() => replaceParameters(NO_FILTERS)}>{t('audit.clear')}</Button>}
      />
    </Show>
  )
}

/** Saves what the filters select as JSON lines. */
function ExportButton(props: { readonly request: Parameters<typeof exportEntries>[0] }): JSX.Element {
  const action = createAction()
  const save = async (): Promise<void> => {
    const { file, count, isCut } = await exportEntries(props.request)
    saveFile(file, 'audit-log.jsonl')
    if (isCut) showToast({ text: t('audit.exportCut', { count }) })
  }
  createEffect(() => {
    if (action.failure()) showToast({ text: t('common.error') })
  })
  return (
    <Button size="small" icon={<Download />} isLoading={action.isRunning()} onClick={() => action.run(save)}>
      {t('audit.export')}
    </Button>
  )
}
