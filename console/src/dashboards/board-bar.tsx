import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Pencil from 'lucide-solid/icons/pencil'
import Plus from 'lucide-solid/icons/plus'
import RefreshCw from 'lucide-solid/icons/refresh-cw'
import Share2 from 'lucide-solid/icons/share-2'
import Star from 'lucide-solid/icons/star'
import { type JSX, Show } from 'solid-js'
import { useKeys } from '../context/keys.ts'
import { currentLocation, replaceParameters } from '../context/router.ts'
import { readStarred, toggleStar } from '../context/starred.ts'
import { useMay } from '../context/workspace.ts'
import { formatShortTime } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { createAction } from '../ui/action.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { PageBar } from '../ui/page-bar.tsx'
import { ErrorState } from '../ui/states.tsx'
import { parseRefresh, REFRESH_MINUTES } from './auto-refresh.ts'
import { useBoard } from './board.ts'
import type { Editing } from './editing.ts'

/** The head of a dashboard: its name, the age of its answers, and what can be done with it. */
export function BoardBar(props: {
  readonly editing: Editing
  readonly entries: readonly MenuEntry[]
  readonly onShare: () => void
  readonly onAdd: () => void
}): JSX.Element {
  const board = useBoard()
  const may = useMay()
  return (
    <PageBar>
      <nav class="board-names" aria-label={t('dashboards.breadcrumb')}>
        <a class="board-parent" href={`/p/${board.projectId()}/dashboards`}>
          {t('shell.dashboards')}
        </a>
        <ChevronRight />
        <h1 class="ui-ellipsis">{board.dashboard().displayName}</h1>
        <StarButton />
      </nav>
      <div class="board-actions">
        <Show when={!props.editing.arrangement()} fallback={<EditActions editing={props.editing} />}>
          <RefreshMenu />
          <Show when={may(DashboardsService.method.upsert)}>
            <Button class="board-share icon-on-phones" icon={<Share2 />} onClick={() => props.onShare()}>
              {t('dashboards.share')}
            </Button>
            <Button class="board-edit icon-on-phones" icon={<Pencil />} onClick={() => props.editing.begin()}>
              {t('common.edit')}
            </Button>
            <Button class="icon-on-phones" tone="primary" icon={<Plus />} onClick={() => props.onAdd()}>
              {t('dashboards.addTile')}
            </Button>
          </Show>
          <Menu
            trigger={(attributes) => (
              <IconButton {...attributes} name={t('common.moreActions')}>
                <Ellipsis />
              </IconButton>
            )}
            entries={props.entries}
          />
        </Show>
      </div>
    </PageBar>
  )
}

function StarButton(): JSX.Element {
  const board = useBoard()
  const path = (): string => `dashboards/${board.dashboard().id}`
  const isStarred = (): boolean => readStarred(board.projectId()).some((page) => page.path === path())
  return (
    <IconButton
      class="board-star"
      tone="ghost"
      size="small"
      name={t(isStarred() ? 'dashboards.unstar' : 'dashboards.star')}
      keys="s"
      aria-pressed={isStarred()}
      onClick={() =>
        toggleStar(board.projectId(), {
          path: path(),
          name: board.dashboard().displayName,
          kind: 'dashboard',
        })
      }
    >
      <Star />
    </IconButton>
  )
}

/** The age of the answers, and the interval of their refresh. */
function RefreshMenu(): JSX.Element {
  const board = useBoard()
  const minutes = () => parseRefresh(currentLocation().query.get('refresh'))
  const time = (): string => formatShortTime(board.asOf().nowMs, board.asOf().timeZone)
  return (
    <Menu
      trigger={(attributes) => (
        <Button {...attributes} class="board-age" tone="ghost" icon={<RefreshCw />}>
          {minutes() === 0
            ? t('dashboards.updatedAt', { time: time() })
            : t('dashboards.updatedEvery', { time: time(), count: minutes() })}
        </Button>
      )}
      entries={[
        { label: t('dashboards.refreshNow'), icon: () => <RefreshCw />, onSelect: () => board.refresh() },
        'line',
        {
          label: t('dashboards.autoRefresh'),
          value: String(minutes()),
          choices: REFRESH_MINUTES.map((count) => ({
            value: String(count),
            label: count === 0 ? t('dashboards.refreshOff') : t('dashboards.refreshEvery', { count }),
          })),
          onChange: (value) => replaceParameters({ refresh: value === '0' ? '' : value }),
        },
      ]}
    />
  )
}

function EditActions(props: { readonly editing: Editing }): JSX.Element {
  const action = createAction()
  const finish = (): void => action.run(props.editing.finish)
  useKeys([{ keys: 'mod+s', label: t('dashboards.done'), run: finish }])
  return (
    <>
      <p class="board-hint" id="arranging">
        {t('dashboards.editHint')}
      </p>
      <Button isDisabled={action.isRunning()} onClick={() => props.editing.cancel()}>
        {t('common.cancel')}
      </Button>
      <Button tone="primary" isLoading={action.isRunning()} onClick={finish}>
        {t('dashboards.done')}
      </Button>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </>
  )
}
