import type { QueryTableResponse, WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { createSignal, For, type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { currentLocation, replaceParameters } from '../../context/router.ts'
import { t } from '../../i18n/translate.ts'
import { BarList, type BarRow } from '../../ui/bar-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazy } from '../../ui/lazy.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonBlock, SkeletonGroup } from '../../ui/states.tsx'
import { iconOf } from '../../ui/value-icon.tsx'
import { DIMENSIONS, type DimensionName, labelOfValue, offerAll } from './dimensions.ts'
import { readImported } from './imported.ts'
import { writeCount, writePercent } from './metrics.ts'
import { type OverviewView, type Shown, useTable, useView } from './overview-view.ts'
import { PanelMenu } from './panel-menu.tsx'
import { chosenView, type Panel, type PanelView, usualView } from './panels.ts'
import { PlacesMap } from './places-map.tsx'

/** Rows of a panel, of the height that the page keeps for it. */
const ROWS_MAX = 7

/** More than there are countries. */
const COUNTRIES_MAX = 300

const AllRows = lazy(async () => ({ default: (await import('./all-rows.tsx')).AllRows }))

/** The rows of a table as rows of a bar list: bars are relative to the longest, shares to all visitors. */
function toBarRows(
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
    ...withIcon(dimension, value),
    barShare: Number(metrics?.visitors ?? 0) / most,
    value: writeCount(metrics?.visitors ?? 0),
    share: writePercent(share),
    isChosen: isFiltered(value),
  }))
}

function withIcon(dimension: DimensionName, value: string): Pick<BarRow, 'icon'> {
  const icon = iconOf(dimension, value)
  return icon ? { icon } : {}
}

/** The panel of a subject. A click on a row filters the page. */
export function TablePanel(props: { readonly panel: Panel }): JSX.Element {
  const view = useView()
  const [isOpen, setOpen] = createSignal(false)
  const shown = () => chosenView(props.panel, currentLocation().query, view.state().filters)
  const dimension = (): DimensionName => shown().dimension
  const isMap = (): boolean => shown().name === 'map'
  const table = useTable(view, () => ({
    dimension: DIMENSIONS[dimension()].number,
    limit: isMap() ? COUNTRIES_MAX : ROWS_MAX,
  }))
  const choose = (name: PanelView['name']): void => {
    const isUsual = name === usualView(props.panel, view.state().filters).name
    replaceParameters({ [props.panel.name]: isUsual ? '' : name })
  }
  const total = (): number =>
    Math.max(Number(table.answer()?.totalRows ?? 0n), Number(table.answer()?.importedTotalRows ?? 0n))
  const [chosenSource, setChosenSource] = createSignal<'imported' | 'own'>()
  const hasImported = (): boolean => (table.answer()?.importedRows.length ?? 0) > 0
  // Without visits of its own the panel shows the imported ones.
  const isImported = (): boolean =>
    hasImported() &&
    (chosenSource() ?? (table.answer()?.rows.length === 0 ? 'imported' : 'own')) === 'imported'
  const hasMore = (): boolean => total() > ROWS_MAX || (isMap() && total() > 0)
  // A panel beside another one keeps the height of a whole list, one below another only that of its rows.
  const isShort = (): boolean => table.answer() !== undefined && !hasMore() && !hasImported()
  const title = (): string => t(props.panel.title)
  return (
    <Card
      class={`overview-panel ${isShort() ? 'overview-short' : ''}`}
      title={title()}
      padding="none"
      isRefreshing={table.isOld()}
      actions={
        <>
          <SegmentedControl
            label={t('overview.panelView', { panel: title() })}
            choices={props.panel.views.map(({ name, label }) => ({ value: name, label: t(label) }))}
            value={shown().name}
            onChange={choose}
          />
          <PanelMenu title={title()} dimension={dimension()} />
        </>
      }
      foot={
        <>
          <Show when={hasMore()} fallback={<span>&nbsp;</span>}>
            <Button tone="ghost" size="small" class="overview-all" onClick={() => setOpen(true)}>
              {offerAll(dimension(), total())}
            </Button>
          </Show>
          <Show when={hasImported()}>
            <div class="overview-source" data-tip={t('overview.importedMeaning')}>
              <SourceControl
                panel={title()}
                value={isImported() ? 'imported' : 'own'}
                onChange={setChosenSource}
              />
            </div>
          </Show>
        </>
      }
    >
      <div class="overview-rows">
        <Show
          when={isImported() && table.answer()}
          fallback={<Rows table={table} dimension={dimension()} isMap={isMap()} />}
        >
          {(answer) => <ImportedRows rows={answer().importedRows} dimension={dimension()} />}
        </Show>
      </div>
      <Suspense>
        <Show when={isOpen()}>
          <AllRows dimension={dimension()} onClose={() => setOpen(false)} />
        </Show>
      </Suspense>
    </Card>
  )
}

function Rows(props: {
  readonly table: Shown<QueryTableResponse>
  readonly dimension: DimensionName
  readonly isMap: boolean
}): JSX.Element {
  const view = useView()
  const heads = (): readonly [string, string, string] => [
    t(DIMENSIONS[props.dimension].name),
    t('overview.visitors'),
    t('overview.share'),
  ]
  return (
    <Switch fallback={<RowsSkeleton />}>
      <Match when={props.table.failure()}>
        {(failure) => (
          <ErrorState title={t('overview.failed')} error={failure()} onRetry={props.table.retry} />
        )}
      </Match>
      <Match when={props.table.answer()?.rows.length === 0}>
        <EmptyState title={t('overview.noValues')} />
      </Match>
      <Match when={props.isMap && props.table.answer()}>
        {(answer) => <PlacesMap rows={answer().rows} />}
      </Match>
      <Match when={props.table.answer()}>
        {(answer) => (
          <BarList
            label={heads()[0]}
            heads={heads()}
            rows={toBarRows(answer().rows.slice(0, ROWS_MAX), props.dimension, view)}
            onChoose={(row, mode) => view.choose({ dimension: props.dimension, value: row.key }, mode)}
          />
        )}
      </Match>
    </Switch>
  )
}

/** Own visits or imported days. */
function SourceControl(props: {
  readonly panel: string
  readonly value: 'imported' | 'own'
  readonly onChange: (value: 'imported' | 'own') => void
}): JSX.Element {
  return (
    <SegmentedControl
      label={t('overview.importedOrOwn', { panel: props.panel })}
      choices={[
        { value: 'own', label: t('overview.visits') },
        { value: 'imported', label: t('overview.imported') },
      ]}
      value={props.value}
      onChange={props.onChange}
    />
  )
}

/** What imported days counted by value; a click filters the page like any other row. */
function ImportedRows(props: {
  readonly rows: readonly WebTableRow[]
  readonly dimension: DimensionName
}): JSX.Element {
  const view = useView()
  const heads = (): readonly [string, string] => [
    t(DIMENSIONS[props.dimension].name),
    t('overview.importedVisitors'),
  ]
  return (
    <BarList
      label={t('overview.imported')}
      heads={heads()}
      rows={toImportedRows(props.rows.slice(0, ROWS_MAX), props.dimension)}
      onChoose={(row, mode) => view.choose({ dimension: props.dimension, value: row.key }, mode)}
    />
  )
}

function toImportedRows(rows: readonly WebTableRow[], dimension: DimensionName): readonly BarRow[] {
  const daily = ({ imported }: WebTableRow): number => readImported('visitors', imported) ?? 0
  const most = Math.max(1, ...rows.map(daily))
  return rows.map((row) => ({
    key: row.value,
    name: labelOfValue(dimension, row.value),
    ...withIcon(dimension, row.value),
    barShare: daily(row) / most,
    value: writeCount(daily(row)),
  }))
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
