import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import LinkIcon from 'lucide-solid/icons/link'
import Pause from 'lucide-solid/icons/pause'
import Play from 'lucide-solid/icons/play'
import { type JSX, Show } from 'solid-js'
import { CohortChips } from '../../cohorts/cohort-chips.tsx'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { copyWithToast } from '../../people/copy-text.ts'
import { Keys } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { LiveFeed } from './live-feed.ts'
import { usePauseKey } from './live-keys.ts'
import type { LiveView } from './live-view.ts'
import './messages.ts'
import { OnlinePill } from './online.tsx'

/** The head of the page: name, people online, cohorts of the whole page, time zone, pause, further actions. */
export function LiveBar(props: {
  readonly feed: LiveFeed
  readonly view: LiveView
  readonly isPaused: boolean
  readonly onPause: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const list = createCohortList()
  usePauseKey(() => props.onPause())
  return (
    <PageBar class="live-bar">
      <h1>{t('shell.live')}</h1>
      <OnlinePill projectId={workspace().project.id} />
      <CohortChips
        cohorts={list.cohorts() ?? []}
        filters={props.view.state().cohorts}
        onChange={(cohorts) => props.view.change({ cohorts })}
      />
      <span class="live-zone">{t('overview.timesIn', { zone: workspace().timeZone })}</span>
      <Button
        icon={
          <Show when={props.isPaused} fallback={<Pause />}>
            <Play />
          </Show>
        }
        onClick={() => props.onPause()}
      >
        {t(props.isPaused ? 'live.resume' : 'live.pause')} <Keys keys={[t('live.space')]} />
      </Button>
      <LiveMenu feed={props.feed} />
    </PageBar>
  )
}

function LiveMenu(props: { readonly feed: LiveFeed }): JSX.Element {
  const save = async (): Promise<void> => {
    try {
      const { saveEvents } = await import('./save-events.ts')
      saveEvents(props.feed.events() ?? [], props.feed.personOf)
    } catch {
      showToast({ text: t('overview.exportFailed'), tone: 'bad' })
    }
  }
  const entries = (): readonly MenuEntry[] => [
    {
      label: t('overview.copyLink'),
      icon: () => <LinkIcon />,
      onSelect: () => void copyWithToast(location.href),
    },
    {
      label: t('overview.exportCsv'),
      icon: () => <Download />,
      isDisabled: (props.feed.events()?.length ?? 0) === 0,
      onSelect: () => void save(),
    },
  ]
  return (
    <Menu
      trigger={(attributes) => (
        <IconButton {...attributes} name={t('common.moreActions')}>
          <Ellipsis />
        </IconButton>
      )}
      entries={entries()}
    />
  )
}
