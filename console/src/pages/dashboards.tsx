import '../dashboards/messages.ts'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Dashboard } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import Plus from 'lucide-solid/icons/plus'
import { createMemo, createSignal, type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { useKeys } from '../context/keys.ts'
import { useRowKeys } from '../context/row-keys.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { dashboardsKey } from '../dashboards/board-changes.tsx'
import { BoardTable } from '../dashboards/board-table.tsx'
import { TemplateCards } from '../dashboards/template-cards.tsx'
import { t } from '../i18n/translate.ts'
import { clientOf } from '../rpc/client.ts'
import { Keys } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { SearchInput } from '../ui/input.tsx'
import { lazy } from '../ui/lazy.ts'
import { PageBar } from '../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../ui/states.tsx'
import { DashboardPage } from './dashboard.tsx'

const NewBoard = lazy(async () => ({ default: (await import('../dashboards/new-board.tsx')).NewBoard }))

const dashboardsClient = clientOf(DashboardsService)

/** So many are found at a glance. */
const SEARCHED_FROM = 8

/** The list of dashboards, or one dashboard. */
export function DashboardsPage(props: { readonly rest: string }): JSX.Element {
  return (
    <Show when={props.rest} keyed fallback={<DashboardList />}>
      {(id) => <DashboardPage id={id} />}
    </Show>
  )
}

/** The newest change first. */
function byChange(a: Dashboard, b: Dashboard): number {
  const changedMs = ({ updateTime }: Dashboard): number => (updateTime ? timestampMs(updateTime) : 0)
  return changedMs(b) - changedMs(a)
}

function DashboardList(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isCreating, setCreating] = createSignal(false)
  const [text, setText] = createSignal('')
  const asked = useQuery(() => ({
    queryKey: dashboardsKey(workspace().project.id),
    queryFn: async () => (await dashboardsClient.list({})).dashboards,
    // Another page or person may have changed them.
    staleTime: 0,
  }))
  const all = createMemo(() => (asked.isSuccess ? [...asked.data].sort(byChange) : undefined))
  const shown = (): readonly Dashboard[] =>
    (all() ?? []).filter(({ displayName }) => displayName.toLowerCase().includes(text().trim().toLowerCase()))
  const mayCreate = (): boolean => may(DashboardsService.method.create)
  if (mayCreate()) {
    useKeys([{ keys: 'n', label: t('dashboards.new'), run: () => void setCreating(true) }])
  }
  let search: HTMLInputElement | undefined
  useKeys([{ keys: '/', label: t('shell.keySearch'), run: () => search?.focus() }])
  useRowKeys()
  return (
    <div class="boards" data-page="full">
      <PageBar>
        <h1>{t('shell.dashboards')}</h1>
        <Show when={mayCreate()}>
          <Button tone="primary" icon={<Plus />} onClick={() => setCreating(true)}>
            {t('dashboards.new')}
          </Button>
        </Show>
      </PageBar>
      <Show when={mayCreate()}>
        <TemplateCards />
      </Show>
      <Switch fallback={<SkeletonLines count={5} heightPx={28} />}>
        <Match when={asked.isError}>
          <ErrorState
            title={t('dashboards.failed')}
            error={asked.error}
            onRetry={() => void asked.refetch()}
          />
        </Match>
        <Match when={all()?.length === 0}>
          <EmptyState
            icon={<LayoutGrid />}
            title={t('dashboards.noneTitle')}
            text={t('dashboards.noneText')}
          />
        </Match>
        <Match when={all()}>
          {(known) => (
            <>
              <Show when={known().length >= SEARCHED_FROM}>
                <SearchInput
                  ref={search}
                  class="boards-search"
                  label={t('dashboards.search')}
                  placeholder={t('dashboards.search')}
                  value={text()}
                  onInput={setText}
                  after={<Keys keys={['/']} />}
                />
              </Show>
              <BoardTable dashboards={shown()} />
            </>
          )}
        </Match>
      </Switch>
      <Suspense>
        <Show when={isCreating()}>
          <NewBoard onClose={() => setCreating(false)} />
        </Show>
      </Suspense>
    </div>
  )
}
