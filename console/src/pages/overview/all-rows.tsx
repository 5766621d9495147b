import type { WebMetrics } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { createEffect, createSignal, type JSX, Match, on, Show, Switch } from 'solid-js'
import { NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Input } from '../../ui/input.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, type Sorting, Table } from '../../ui/table.tsx'
import { DIMENSIONS, type DimensionName } from './dimensions.ts'
import { allRowsOf, writeImported } from './imported.ts'
import { METRICS, type MetricName, writeMetric, writePercent } from './metrics.ts'
import { useTable, useView } from './overview-view.ts'
import { IMPORTED_COLUMNS, type ListKey, type ListRow, pageOf, rowsOf, sortRows } from './row-list.ts'

/** Rows of one answer; the search finds others. */
const ROWS_MAX = 1000

/** All values of a dimension with more measures, searchable and sorted; a value filters the page. */
export function AllRows(props: {
  readonly dimension: DimensionName
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Drawer
      title={t('overview.allOf', { name: t(DIMENSIONS[props.dimension].name) })}
      isOpen={true}
      onClose={props.onClose}
    >
      <RowList dimension={props.dimension} />
    </Drawer>
  )
}

function RowList(props: { readonly dimension: DimensionName }): JSX.Element {
  const view = useView()
  const [search, setSearch] = createSignal('')
  const [page, setPage] = createSignal(0)
  const [sorting, setSorting] = createSignal<Sorting<ListKey>>({ key: 'visitors', direction: 'descending' })
  createEffect(on([search, sorting, () => props.dimension], () => setPage(0), { defer: true }))
  const table = useTable(view, () => ({
    dimension: DIMENSIONS[props.dimension].number,
    limit: ROWS_MAX,
    search: search(),
  }))
  const rows = (): readonly ListRow[] => sortRows(rowsOf(props.dimension, answered()), sorting())
  const answered = () => {
    const answer = table.answer()
    return answer ? allRowsOf(answer) : []
  }
  const hasImported = (): boolean => answered().some(({ imported }) => imported)
  const shown = () => pageOf(rows(), page())
  const total = (): number => Number(table.answer()?.totalRows ?? 0n)
  return (
    <div class="overview-all-rows" aria-busy={table.isOld()}>
      <Input
        label={t('overview.searchValues')}
        labelDisplay="hidden"
        type="search"
        placeholder={t('overview.searchValues')}
        value={search()}
        onChange={setSearch}
      />
      <Switch fallback={<SkeletonLines count={10} />}>
        <Match when={table.failure()}>
          {(failure) => <ErrorState title={t('overview.failed')} error={failure()} onRetry={table.retry} />}
        </Match>
        <Match when={table.answer() && rows().length === 0}>
          <EmptyState title={t(search() === '' ? 'overview.noValues' : 'overview.noMatch')} />
        </Match>
        <Match when={table.answer()}>
          <Table
            label={t(DIMENSIONS[props.dimension].name)}
            columns={[
              ...columnsOf(props.dimension, (row, mode) =>
                view.choose({ dimension: props.dimension, value: row.value }, mode),
              ),
              ...(hasImported() ? importedColumns() : []),
            ]}
            rows={shown().rows}
            sorting={sorting()}
            onSort={setSorting}
          />
          <Show when={hasImported()}>
            <p class="overview-more">{t('overview.importedMeaning')}</p>
          </Show>
          <Show when={total() > rows().length}>
            <p class="overview-more">{t('overview.firstOf', { count: rows().length, total: total() })}</p>
          </Show>
          <Show when={shown().pages > 1}>
            <Pager page={page()} shown={shown()} count={rows().length} onChange={setPage} />
          </Show>
        </Match>
      </Switch>
    </div>
  )
}

function columnsOf(
  dimension: DimensionName,
  choose: (row: ListRow, mode: 'is' | 'is not') => void,
): readonly Column<ListRow, ListKey>[] {
  const measure = (key: MetricName): Column<ListRow, ListKey> => ({
    key,
    title: t(METRICS[key].name),
    kind: 'number',
    isSortable: true,
    cell: ({ metrics }: { readonly metrics: WebMetrics }) => writeMetric(key, metrics),
  })
  return [
    {
      key: 'name',
      title: t(DIMENSIONS[dimension].name),
      kind: 'wide',
      isSortable: true,
      cell: (row) => (
        <button
          type="button"
          class="overview-value"
          title={row.name}
          onClick={(event) => choose(row, event.altKey ? 'is not' : 'is')}
        >
          {row.name}
        </button>
      ),
    },
    measure('visitors'),
    { key: 'share', title: t('overview.share'), kind: 'number', cell: ({ share }) => writePercent(share) },
    measure('views'),
    measure('bounce'),
    measure('duration'),
  ]
}

function importedColumns(): readonly Column<ListRow, ListKey>[] {
  return Object.entries(IMPORTED_COLUMNS).map(([key, { metric, name }]) => ({
    key: key as keyof typeof IMPORTED_COLUMNS,
    title: t(name),
    kind: 'number',
    isSortable: true,
    cell: ({ imported }) => writeImported(metric, imported) ?? NO_VALUE,
  }))
}

function Pager(props: {
  readonly page: number
  readonly shown: ReturnType<typeof pageOf>
  readonly count: number
  readonly onChange: (page: number) => void
}): JSX.Element {
  return (
    <div class="overview-pager">
      <span class="ui-tabular">
        {t('overview.rangeOf', { from: props.shown.from, to: props.shown.to, count: props.count })}
      </span>
      <Button size="small" isDisabled={props.page === 0} onClick={() => props.onChange(props.page - 1)}>
        {t('overview.earlier')}
      </Button>
      <Button
        size="small"
        isDisabled={props.page + 1 >= props.shown.pages}
        onClick={() => props.onChange(props.page + 1)}
      >
        {t('overview.later')}
      </Button>
    </div>
  )
}
