import './messages.ts'
import type { DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import { createResource, type JSX, Match, Show, Switch } from 'solid-js'
import { useKeys } from '../context/keys.ts'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import type { TileId } from '../insights/query-address.ts'
import { writeSpec } from '../insights/spec.ts'
import { clientOf } from '../rpc/client.ts'
import { Failure, isNotFound } from '../rpc/failure.ts'
import { createAction } from '../ui/action.ts'
import { readyOf } from '../ui/async.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { PageBar } from '../ui/page-bar.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { changeTiles } from './change-tiles.ts'
import { NoSuchBoard } from './no-such-board.tsx'
import { type SavedInsight, specOfTile, tileFieldsOf, viewOfStored } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** A tile as it was when its query was opened. */
interface OpenedTile {
  readonly title: string
  readonly dashboard: string
  readonly spec: string
}

function specOf(tile: Pick<DashboardTileInput, 'content'>): string {
  const spec = specOfTile(tile)
  return spec ? writeSpec(spec) : ''
}

function missing(): Failure {
  return new Failure({ code: 'not_found', message: t('dashboards.tileGone') })
}

/** The part of the address of a tile that is not, or no longer, there; a missing dashboard has a reason of the service. */
function goneOf(error: unknown): 'tile' | 'dashboard' | undefined {
  if (!isNotFound(error)) return undefined
  return Failure.from(error).reason === '' ? 'tile' : 'dashboard'
}

async function openTile({ dashboardId, tileId }: TileId): Promise<OpenedTile> {
  const { dashboard } = await dashboardsClient.get({ id: dashboardId })
  const tile = dashboard?.tiles.find(({ id }) => id === tileId)
  if (!dashboard || !tile) throw missing()
  return {
    title: tile.displayName || t('dashboards.insight'),
    dashboard: dashboard.displayName,
    spec: specOf(tile),
  }
}

/** A tile with another query; a mode that the console does not offer stays until another view is chosen. */
function withQuery(tile: DashboardTileInput, saved: SavedInsight): DashboardTileInput {
  const isSameView = viewOfStored(tile) === saved.view
  return { ...tile, ...tileFieldsOf(saved), ...(isSameView && { viewMode: tile.viewMode }) }
}

/** The head of the page of a tile's query, which saves it to the tile. */
export function TileQueryHead(props: SavedInsight & { readonly id: TileId }): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const [opened, { mutate, refetch }] = createResource(async () => await openTile(props.id))
  const boards = (): string => `/p/${workspace().project.id}/dashboards`
  const board = (): string => `${boards()}/${props.id.dashboardId}`
  const gone = (): 'tile' | 'dashboard' | undefined => goneOf(opened.error)
  const replace = (tile: DashboardTileInput, known: OpenedTile): DashboardTileInput => {
    const stored = specOf(tile)
    if (stored === known.spec) return withQuery(tile, props)
    mutate({ ...known, spec: stored })
    throw new Failure({ code: 'aborted', message: t('dashboards.queryChanged') })
  }
  const save = async (): Promise<void> => {
    const { dashboardId, tileId } = props.id
    const known = readyOf(opened)
    if (!known) return
    await changeTiles(dashboardId, (tiles) => {
      if (!tiles.some(({ id }) => id === tileId)) throw missing()
      return tiles.map((tile) => (tile.id === tileId ? replace(tile, known) : tile))
    })
    navigate(board())
  }
  useKeys([{ keys: 'mod+s', label: t('dashboards.saveToTile'), run: () => action.run(save) }])
  return (
    <>
      <PageBar class="insight-head">
        <TileCrumbs board={{ href: board(), name: readyOf(opened)?.dashboard }} />
        <h1 class="insight-name">{readyOf(opened)?.title ?? t('shell.insights')}</h1>
        <p class="insight-hint">{t('dashboards.rangeOfBoard')}</p>
        <div class="insight-actions">
          <ButtonLink href={board()}>{t('common.cancel')}</ButtonLink>
          <Button
            tone="primary"
            isLoading={action.isRunning()}
            isDisabled={!readyOf(opened)}
            onClick={() => action.run(save)}
          >
            {t('dashboards.saveToTile')}
          </Button>
        </div>
      </PageBar>
      <Switch>
        <Match when={gone() === 'tile'}>
          <EmptyState
            icon={<LayoutGrid />}
            title={t('dashboards.tileGone')}
            actions={<ButtonLink href={board()}>{t('dashboards.openBoard')}</ButtonLink>}
          />
        </Match>
        <Match when={gone() === 'dashboard'}>
          <NoSuchBoard />
        </Match>
        <Match when={opened.error as unknown}>
          {(error) => (
            <ErrorState
              title={t('dashboards.failed')}
              error={error()}
              onRetry={() => void refetch()}
              isRetrying={opened.loading}
            />
          )}
        </Match>
      </Switch>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </>
  )
}

/** The way back to the dashboard of a tile. */
function TileCrumbs(props: {
  readonly board: { readonly href: string; readonly name: string | undefined }
}): JSX.Element {
  const workspace = useWorkspace()
  return (
    <>
      <a class="insight-crumb" href={`/p/${workspace().project.id}/dashboards`}>
        {t('shell.dashboards')}
      </a>
      <ChevronRight class="insight-arrow" />
      <Show when={props.board.name}>
        <a class="insight-crumb ui-ellipsis" href={props.board.href}>
          {props.board.name}
        </a>
        <ChevronRight class="insight-arrow" />
      </Show>
    </>
  )
}
