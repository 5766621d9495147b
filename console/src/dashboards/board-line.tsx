import GitCompareArrows from 'lucide-solid/icons/git-compare-arrows'
import { createSignal, type JSX, Show, Suspense } from 'solid-js'
import { useKeys } from '../context/keys.ts'
import { type NameKey, t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { DateRangePicker } from '../ui/date-range-picker.tsx'
import { lazy } from '../ui/lazy.ts'
import { Menu } from '../ui/menu.tsx'
import { useBoard } from './board.ts'
import { BoardDescription } from './board-description.tsx'
import type { BoardCompare } from './board-state.ts'

const BoardFilters = lazy(async () => ({ default: (await import('./board-filters.tsx')).BoardFilters }))

const COMPARISONS = {
  tile: 'dashboards.compareTiles',
  none: 'dashboards.compareNone',
  previous: 'dashboards.comparePrevious',
  year: 'dashboards.compareYear',
} as const satisfies Record<BoardCompare, NameKey>

/** The line above all tiles: range, comparison and filters, and at the right the description of the dashboard. */
export function BoardLine(): JSX.Element {
  const board = useBoard()
  const [isRangeOpen, setRangeOpen] = createSignal(false)
  useKeys([
    { keys: 'd', label: t('ui.chooseDate'), run: () => setRangeOpen(true) },
    {
      keys: 'c',
      label: t('dashboards.compare'),
      run: () => board.change({ compare: board.state().compare === 'previous' ? 'none' : 'previous' }),
    },
    {
      keys: 't',
      label: t('ui.today'),
      run: () => {
        const isToday = board.period() === 'today'
        board.change({ period: isToday ? { last: 30, unit: 'days' } : 'today' })
      },
    },
  ])
  return (
    <div class="board-line">
      <DateRangePicker
        period={board.period()}
        today={board.asOf().today}
        firstDate={board.asOf().firstDate}
        isOpen={isRangeOpen()}
        onOpenChange={setRangeOpen}
        onChange={(period) => board.change({ period })}
      />
      <Menu
        placement="bottom-start"
        trigger={(attributes) => (
          <Button {...attributes} class="icon-on-phones" icon={<GitCompareArrows />}>
            {t(COMPARISONS[board.state().compare])}
          </Button>
        )}
        entries={[
          {
            label: t('dashboards.compare'),
            value: board.state().compare,
            choices: (Object.keys(COMPARISONS) as BoardCompare[]).map((value) => ({
              value,
              label: t(COMPARISONS[value]),
            })),
            onChange: (compare) => board.change({ compare: compare as BoardCompare }),
          },
        ]}
      />
      <Suspense>
        <BoardFilters />
      </Suspense>
      <Show when={board.dashboard().description}>
        {(description) => <BoardDescription text={description()} />}
      </Show>
    </div>
  )
}
