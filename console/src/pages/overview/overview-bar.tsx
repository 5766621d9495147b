import ChevronDown from 'lucide-solid/icons/chevron-down'
import GitCompareArrows from 'lucide-solid/icons/git-compare-arrows'
import LinkIcon from 'lucide-solid/icons/link'
import RefreshCw from 'lucide-solid/icons/refresh-cw'
import { createSignal, type JSX, Show, Suspense } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { useKeys } from '../../context/keys.ts'
import { formatAge } from '../../format/ago.ts'
import { type MessageKey, t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DateRangePicker } from '../../ui/date-range-picker.tsx'
import { lazy } from '../../ui/lazy.ts'
import { Menu } from '../../ui/menu.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { writeDays } from '../../ui/period-labels.ts'
import { showToast } from '../../ui/toast.tsx'
import { ChartMenu } from './chart-menu.tsx'
import { useView } from './overview-view.ts'
import { shiftOf } from './requests.ts'
import type { NamedCompare } from './view-state.ts'

const CompareDialog = lazy(async () => ({
  default: (await import('../../ui/compare-dialog.tsx')).CompareDialog,
}))

const OnlinePill = lazy(async () => ({ default: (await import('../live/online.tsx')).OnlinePill }))

const COMPARISONS = {
  none: 'overview.compareNone',
  previous: 'overview.comparePrevious',
  year: 'overview.compareYear',
} as const satisfies Record<NamedCompare, MessageKey>

/** The age of the answers is written again after this time. */
const AGE_STEP_MS = 10_000

/** The entry of the menu that leads to a custom range. */
const CUSTOM = 'custom'

/** The head of the page: name, range, comparison, link. */
export function OverviewBar(): JSX.Element {
  const view = useView()
  const [isRangeOpen, setRangeOpen] = createSignal(false)
  const showToday = (): void => {
    const isToday = view.state().period === 'today'
    view.change({ period: isToday ? { last: 30, unit: 'days' } : 'today' })
  }
  useKeys([
    { keys: 'd', label: t('ui.chooseDate'), run: () => setRangeOpen(true) },
    {
      keys: 'c',
      label: t('overview.compare'),
      run: () => view.change({ compare: view.state().compare === 'none' ? 'previous' : 'none' }),
    },
    { keys: 't', label: t('ui.today'), run: showToday },
  ])
  const copyLink = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href)
    showToast({ text: t('overview.linkCopied'), tone: 'good' })
  }
  return (
    <PageBar class="overview-bar">
      <div class="overview-name">
        <h1>{t('shell.overview')}</h1>
        <Suspense>
          <OnlinePill projectId={view.projectId()} />
        </Suspense>
      </div>
      <div class="overview-controls">
        <DateRangePicker
          period={view.state().period}
          today={view.asOf().today}
          firstDate={view.asOf().firstDate}
          isOpen={isRangeOpen()}
          onOpenChange={setRangeOpen}
          onChange={(period) => view.change({ period, interval: undefined })}
        />
        <CompareMenu />
        {/* Pages on plain HTTP have no clipboard. */}
        {isSecureContext && (
          <IconButton name={t('overview.copyLink')} onClick={() => void copyLink()}>
            <LinkIcon />
          </IconButton>
        )}
        <ChartMenu />
      </div>
    </PageBar>
  )
}

/** The menu with the comparisons of the period. */
function CompareMenu(): JSX.Element {
  const view = useView()
  const [isOpen, setOpen] = createSignal(false)
  const compare = () => view.state().compare
  const name = (): string => {
    const now = compare()
    if (typeof now === 'string') return t(COMPARISONS[now])
    const { comparedDays } = view.asked()
    return comparedDays ? writeDays(comparedDays, view.asOf().today) : t(COMPARISONS.none)
  }
  const choices = (Object.keys(COMPARISONS) as NamedCompare[]).map((value) => ({
    value,
    label: t(COMPARISONS[value]),
  }))
  const choose = (value: string): void => {
    const named = choices.find((choice) => choice.value === value)
    if (named) view.change({ compare: named.value })
    else setOpen(true)
  }
  return (
    <>
      <Menu
        trigger={(attributes) => (
          <Button {...attributes} icon={<GitCompareArrows />} class="overview-compare">
            <span class="overview-compare-name">
              {name()}
              <ChevronDown />
            </span>
          </Button>
        )}
        entries={[
          {
            label: t('overview.compare'),
            value: typeof compare() === 'string' ? String(compare()) : CUSTOM,
            choices: [...choices, { value: CUSTOM, label: t('ui.compareCustom') }],
            onChange: choose,
          },
        ]}
      />
      <Suspense>
        <Show when={isOpen()}>
          <CompareDialog
            days={view.asked().days}
            from={view.asked().comparedDays?.from}
            today={view.asOf().today}
            problemOf={(from) =>
              shiftOf({ from }, view.asked().days) ? undefined : t('overview.compareFar')
            }
            onChoose={(from) => view.change({ compare: { from } })}
            onClose={() => setOpen(false)}
          />
        </Show>
      </Suspense>
    </>
  )
}

/** The zone of the times, and the age of the answer; a click refreshes it. */
export function OverviewAge(): JSX.Element {
  const view = useView()
  const nowMs = createClock(AGE_STEP_MS)
  const age = (): string =>
    formatAge(view.askedMs(), { nowMs: Math.max(nowMs(), view.askedMs()), timeZone: view.asOf().timeZone })
  return (
    <p class="overview-age">
      <span>{t('overview.timesIn', { zone: view.asOf().timeZone })}</span>
      <button type="button" data-tip={t('overview.refresh')} onClick={() => view.refresh()}>
        <RefreshCw />
        {t('overview.updatedAgo', { age: age() })}
      </button>
    </p>
  )
}
