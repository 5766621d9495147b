import { createEffect, createSignal, type JSX, Match, on, Show, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer-panel.tsx'
import { Input } from '../../ui/input.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DIMENSIONS, type DimensionName, labelOfValue } from './dimensions.ts'
import { METRICS, writeMetric, writePercent } from './metrics.ts'
import { useTable, useView } from './overview-view.ts'

/** Rows of a page of the list. */
const PAGE_ROWS = 50

interface Row {
  readonly value: string
  readonly name: string
  readonly visitors: string
  readonly share: string
  readonly bounce: string
  readonly duration: string
}

/** All values of a dimension with more measures, searchable; a value filters the page. */
export function AllRows(props: {
  readonly dimension: DimensionName
  readonly isOpen: boolean
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Drawer
      title={t('overview.allOf', { name: t(DIMENSIONS[props.dimension].name) })}
      isOpen={props.isOpen}
      onClose={props.onClose}
    >
      <RowList dimension={props.dimension} />
    </Drawer>
  )
}

function RowList(props: { readonly dimension: DimensionName }): JSX.Element {
  const view = useView()
  const [search, setSearch] = createSignal('')
  const [offset, setOffset] = createSignal(0)
  createEffect(on([search, () => props.dimension], () => setOffset(0), { defer: true }))
  const table = useTable(view, () => ({
    dimension: DIMENSIONS[props.dimension].number,
    limit: PAGE_ROWS,
    offset: offset(),
    search: search(),
  }))
  const rows = (): readonly Row[] =>
    (table.answer()?.rows ?? []).flatMap(({ value, metrics, share }) =>
      metrics
        ? {
            value,
            name: labelOfValue(props.dimension, value),
            visitors: writeMetric('visitors', metrics),
            share: writePercent(share),
            bounce: writeMetric('bounce', metrics),
            duration: writeMetric('duration', metrics),
          }
        : [],
    )
  const columns: readonly Column<Row, string>[] = [
    {
      key: 'name',
      title: t(DIMENSIONS[props.dimension].name),
      kind: 'wide',
      cell: ({ value, name }) => (
        <button
          type="button"
          class="overview-value"
          onClick={(event) =>
            view.choose({ dimension: props.dimension, value }, event.altKey ? 'is not' : 'is')
          }
        >
          {name}
        </button>
      ),
    },
    { key: 'visitors', title: t('overview.visitors'), kind: 'number', cell: ({ visitors }) => visitors },
    { key: 'share', title: t('overview.share'), kind: 'number', cell: ({ share }) => share },
    { key: 'bounce', title: t(METRICS.bounce.name), kind: 'number', cell: ({ bounce }) => bounce },
    { key: 'duration', title: t(METRICS.duration.name), kind: 'number', cell: ({ duration }) => duration },
  ]
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
          <Table label={t(DIMENSIONS[props.dimension].name)} columns={columns} rows={rows()} />
          <Show when={total() > PAGE_ROWS}>
            <div class="overview-pager">
              <span class="ui-tabular">
                {t('overview.rangeOf', {
                  from: offset() + 1,
                  to: Math.min(offset() + PAGE_ROWS, total()),
                  count: total(),
                })}
              </span>
              <Button
                size="small"
                isDisabled={offset() === 0}
                onClick={() => setOffset(Math.max(0, offset() - PAGE_ROWS))}
              >
                {t('overview.earlier')}
              </Button>
              <Button
                size="small"
                isDisabled={offset() + PAGE_ROWS >= total()}
                onClick={() => setOffset(offset() + PAGE_ROWS)}
              >
                {t('overview.later')}
              </Button>
            </div>
          </Show>
        </Match>
      </Switch>
    </div>
  )
}
