import type { WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { BarList, type BarRow } from '../../ui/bar-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Flag } from '../../ui/flag.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonBlock, SkeletonGroup } from '../../ui/states.tsx'
import { AllRows } from './all-rows.tsx'
import { DIMENSIONS, type DimensionName, labelOfValue } from './dimensions.ts'
import { writeCount, writePercent } from './metrics.ts'
import { type OverviewView, useTable, useView } from './overview-view.ts'

/** Rows of a panel, of the height that the page keeps for it. */
const ROWS_MAX = 7

/** A panel of the page: views of one subject, each a dimension. */
export interface Panel {
  /** Its parameter in the address. */
  readonly name: 'pages' | 'sources' | 'places' | 'devices'
  readonly title: NameKey
  readonly views: readonly { readonly dimension: DimensionName; readonly label: NameKey }[]
}

/** The rows of a table as rows of a bar list: bars are relative to the longest, shares to all visitors. */
export function toBarRows(
  rows: readonly WebTableRow[],
  dimension: DimensionName,
  view: Pick<OverviewView, 'state'>,
): readonly (BarRow & { readonly key: string })[] {
  const most = Math.max(1, ...rows.map(({ metrics }) => Number(metrics?.visitors ?? 0)))
  const { filters } = view.state()
  const isFiltered = (value: string): boolean =>
    filters.some(
      (filter) =>
        filter.dimension === dimension &&
        (value === ''
          ? filter.operator === 'is-not-set'
          : filter.operator === 'is' && filter.value === value),
    )
  return rows.map(({ value, metrics, share }) => ({
    key: value,
    name: labelOfValue(dimension, value),
    ...(dimension === 'country' && value !== '' && { icon: () => <Flag country={value} /> }),
    barShare: Number(metrics?.visitors ?? 0) / most,
    value: writeCount(metrics?.visitors ?? 0),
    share: writePercent(share),
    isChosen: isFiltered(value),
  }))
}

/** The panel of a subject. A click on a row filters the page. */
export function TablePanel(props: { readonly panel: Panel }): JSX.Element {
  const view = useView()
  const [isOpen, setOpen] = createSignal(false)
  const shown = () => {
    const { name, views } = props.panel
    const asked = currentLocation().query.get(name)
    return views.find(({ dimension }) => dimension === asked) ?? views[0]
  }
  const dimension = (): DimensionName => shown()?.dimension ?? 'page'
  const table = useTable(view, () => ({ dimension: DIMENSIONS[dimension()].number, limit: ROWS_MAX }))
  const choices = () =>
    props.panel.views.map((choice) => ({ value: choice.dimension, label: t(choice.label) }))
  const first = (): DimensionName | undefined => props.panel.views[0]?.dimension
  const heads = (): readonly [string, string, string] => [
    t(DIMENSIONS[dimension()].name),
    t('overview.visitors'),
    t('overview.share'),
  ]
  const title = (): string => t(props.panel.title)
  return (
    <Card
      class="overview-panel"
      title={title()}
      padding="none"
      isRefreshing={table.isOld()}
      actions={
        <SegmentedControl
          label={t('overview.panelView', { panel: title() })}
          choices={choices()}
          value={dimension()}
          onChange={(value) => replaceParameters({ [props.panel.name]: value === first() ? '' : value })}
        />
      }
      foot={
        <Show when={(table.answer()?.totalRows ?? 0n) > BigInt(ROWS_MAX)} fallback={<span>&nbsp;</span>}>
          <Button tone="ghost" size="small" class="overview-all" onClick={() => setOpen(true)}>
            {t('overview.showAll', { count: Number(table.answer()?.totalRows ?? 0n) })}
          </Button>
        </Show>
      }
    >
      <div class="overview-rows">
        <Switch fallback={<RowsSkeleton />}>
          <Match when={table.failure()}>
            {(failure) => <ErrorState title={t('overview.failed')} error={failure()} onRetry={table.retry} />}
          </Match>
          <Match when={table.answer()?.rows.length === 0}>
            <EmptyState title={t('overview.noValues')} />
          </Match>
          <Match when={table.answer()}>
            {(answer) => (
              <BarList
                label={heads()[0]}
                heads={heads()}
                rows={toBarRows(answer().rows, dimension(), view)}
                onChoose={(row, mode) => view.choose({ dimension: dimension(), value: row.key }, mode)}
              />
            )}
          </Match>
        </Switch>
      </div>
      <AllRows dimension={dimension()} isOpen={isOpen()} onClose={() => setOpen(false)} />
    </Card>
  )
}

function RowsSkeleton(): JSX.Element {
  return (
    <SkeletonGroup>
      <For each={Array.from({ length: ROWS_MAX })}>
        {(_, at) => <SkeletonBlock width={`${92 - 9 * at()}%`} heightPx={30} />}
      </For>
    </SkeletonGroup>
  )
}
