import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Download from 'lucide-solid/icons/download'
import Users from 'lucide-solid/icons/users'
import { createEffect, createMemo, createSignal, type JSX, Match, on, Show, Switch, untrack } from 'solid-js'
import { CohortChips } from '../../cohorts/cohort-chips.tsx'
import {
  type CohortFilterDraft,
  readCohortFilters,
  writeCohortFilters,
} from '../../cohorts/cohort-filters.ts'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import { useKeys } from '../../context/keys.ts'
import { readPreference, writePreference } from '../../context/preference.ts'
import { hasUnreadable } from '../../context/route.ts'
import { currentLocation, replaceParameters, stateBrokenLink } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { createFilters } from '../../insights/filter-bar.tsx'
import { parseAllFilters } from '../../insights/model/filters.ts'
import { createPeopleExport, type ExportSource } from '../../people/export-people.ts'
import { createLongList, type ListPosition } from '../../people/long-list.ts'
import { namePerson } from '../../people/person-name.ts'
import { RowPosition } from '../../people/row-position.tsx'
import { createSettled } from '../../people/settled.ts'
import { type Catalog, createCatalog } from '../../picker/catalog.ts'
import { FilterChips } from '../../picker/filter-chips.tsx'
import { Failure } from '../../rpc/failure.ts'
import { Whole } from '../../rpc/query-client.ts'
import { Keys } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ColumnMenu } from '../../ui/column-menu.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { Sorting } from '../../ui/table.tsx'
import { PeopleTabs } from '../cohorts/people-tabs.tsx'
import { viewOfColumn } from './column-cells.tsx'
import {
  COLUMNS_MAX,
  type ColumnChoice,
  columnOf,
  columnsOf,
  DEFAULT_COLUMNS,
  FIXED_COLUMNS,
  keyOfColumn,
  readColumns,
  writeColumns,
} from './columns.ts'
import { parseSorting, readSorting, reverseOf, type SortKey, writeSorting } from './list-state.ts'
import '../../people/people.css'
import './people-list.css'
import { listAllPeople, listPeople, type PeoplePageAnswer, type PeopleQuery } from './people-query.ts'
import { PeopleTable } from './people-table.tsx'
import { SavePeople } from './save-people.tsx'

/** The people of a project: searched, filtered, in order, read further as one scrolls. */
export function PeopleList(): JSX.Element {
  const workspace = useWorkspace()
  const list = createList()
  const cohorts = createCohortList()
  const [columns, setColumns] = createColumns()
  const catalog = createCatalog()
  const absent = createMemo((): readonly string[] => {
    const properties = catalog
      .entries()
      .flatMap((entry) => (entry.kind === 'person' ? [`.${entry.property}`] : []))
    const shown = new Set(columns().map(keyOfColumn))
    return [...FIXED_COLUMNS, ...properties].filter((key) => !shown.has(key))
  })
  const csv = createPeopleExport(() => exportOf(list.query(), columns()))
  let search: HTMLInputElement | undefined
  useKeys([{ keys: '/', label: t('shell.keySearch'), run: () => search?.focus() }])
  const isNarrowed = (): boolean =>
    list.query().search !== '' || list.query().filters.length > 0 || list.query().cohorts.length > 0
  return (
    <div class="people-page" data-page="full" data-fills>
      <PageBar>
        <h1>{t('shell.people')}</h1>
        <Button
          icon={<Download />}
          isLoading={csv.count() !== undefined}
          isDisabled={(list.answer()?.matching ?? 0) === 0}
          onClick={csv.start}
        >
          {csv.count() === undefined
            ? t('people.exportCsv')
            : t('people.exporting', { count: csv.count() ?? 0, total: list.answer()?.matching ?? 0 })}
        </Button>
        <SavePeople
          search={list.query().search}
          filters={list.filters.drafts()}
          cohorts={list.query().cohorts}
        />
      </PageBar>
      <PeopleTabs value="people" />
      <div class="people-line">
        <SearchInput
          ref={search}
          class="people-search"
          label={t('people.searchLabel')}
          placeholder={t('people.search')}
          maxlength="200"
          value={list.search()}
          onInput={list.setSearch}
          after={<Keys keys={['/']} />}
        />
        <div class="people-filters">
          <PeopleFilters list={list} catalog={catalog} />
          <CohortChips
            cohorts={cohorts.cohorts() ?? []}
            filters={list.cohorts()}
            onChange={list.setCohorts}
          />
        </div>
        <ColumnMenu
          shown={columns().map(keyOfColumn)}
          absent={absent()}
          titleOf={(key) => columnOf(key).map(viewOfColumn)[0]?.title ?? ''}
          columnsMax={COLUMNS_MAX}
          onOpen={catalog.load}
          onChange={(keys) => setColumns(columnsOf(keys))}
          onReset={() => setColumns(DEFAULT_COLUMNS)}
        />
      </div>
      <Switch fallback={<SkeletonLines count={12} heightPx={28} />}>
        <Match when={isCohortGone(list.failure())}>
          <EmptyState
            icon={<Users />}
            title={t('cohorts.notFound')}
            text={t('cohorts.notFoundText')}
            actions={<Button onClick={() => list.clear()}>{t('people.allPeople')}</Button>}
          />
        </Match>
        <Match when={list.failure()}>
          {(error) => <ErrorState title={t('people.listFailed')} error={error()} onRetry={list.retry} />}
        </Match>
        <Match when={list.answer()}>
          {(answer) => (
            <>
              <p class="people-count" role="status">
                {isNarrowed()
                  ? t('people.matchCount', { count: answer().matching, total: answer().total })
                  : t('people.allCount', { count: answer().total })}
              </p>
              <Show
                when={answer().profiles.length > 0}
                fallback={<EmptyList isNarrowed={isNarrowed()} list={list} />}
              >
                <section class="ui-card people-card" aria-busy={list.isOld()}>
                  <PeopleTable
                    list={list.people}
                    columns={columns()}
                    sorting={list.query().sorting}
                    timeZone={workspace().timeZone}
                    onSort={list.sort}
                  />
                  <RowPosition
                    list={list.people}
                    onReverse={() => list.sort(reverseOf(list.query().sorting))}
                  />
                </section>
              </Show>
            </>
          )}
        </Match>
      </Switch>
    </div>
  )
}

function isCohortGone(failure: unknown): boolean {
  return failure !== undefined && Failure.from(failure).reason === 'COHORT_NOT_FOUND'
}

type List = ReturnType<typeof createList>

/** Filters match properties of people, and those of page and visit of their latest event. */
function PeopleFilters(props: { readonly list: List; readonly catalog: Catalog }): JSX.Element {
  return (
    <FilterChips
      catalog={props.catalog}
      kinds={['person', 'page']}
      filters={props.list.filters.drafts()}
      role="main"
      onChange={props.list.filters.setDrafts}
    />
  )
}

function EmptyList(props: { readonly isNarrowed: boolean; readonly list: List }): JSX.Element {
  return (
    <Show
      when={props.isNarrowed}
      fallback={<EmptyState icon={<Users />} title={t('people.noPeople')} text={t('people.noPeopleText')} />}
    >
      <EmptyState
        icon={<Users />}
        title={t('people.noneMatch')}
        actions={<Button onClick={() => props.list.clear()}>{t('people.clearSearch')}</Button>}
      />
    </Show>
  )
}

/** Where lists were left. */
const positions = new WeakMap<PeoplePageAnswer, ListPosition<Profile>>()

/** The query of the address and its answer, page by page. */
function createList() {
  const workspace = useWorkspace()
  stateBrokenLink((query) => hasUnreadable(query, { filters: parseAllFilters, sort: parseSorting }))
  const filters = createFilters()
  const { query: parameters, isReturn } = untrack(currentLocation)
  const [search, setSearch] = createSignal(parameters.get('search') ?? '')
  const [sorting, setSorting] = createSignal(readSorting(parameters.get('sort')))
  const [cohorts, setCohorts] = createSignal(readCohortFilters(parameters.get('cohort')))
  const settled = createSettled(search)
  const query = createMemo(
    (): PeopleQuery => ({
      search: settled().trim(),
      filters: filters.ready(),
      cohorts: cohorts(),
      sorting: sorting(),
    }),
  )
  const key = createMemo(() => JSON.stringify(query()))
  const startKey = untrack(key)
  createEffect(
    on(
      [settled, sorting, cohorts],
      ([text, order, ofCohorts]) =>
        replaceParameters({
          search: text.trim(),
          sort: writeSorting(order),
          cohort: writeCohortFilters(ofCohorts),
        }),
      {
        defer: true,
      },
    ),
  )
  const page = useQuery(() => ({
    queryKey: ['people', workspace().project.id, key()],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      new Whole(await listPeople(query(), '', signal)),
    placeholderData: (before: Whole<PeoplePageAnswer> | undefined) => before,
    // A list that one returns to is the one that was left, with its place.
    ...(isReturn && key() === startKey && { staleTime: Number.POSITIVE_INFINITY }),
  }))
  const answer = (): PeoplePageAnswer | undefined => (page.isSuccess ? page.data.answer : undefined)
  const people = createLongList({
    first: answer,
    isOld: () => page.isPlaceholderData,
    pageOf: ({ profiles, nextPageToken }) => ({ rows: profiles, nextToken: nextPageToken }),
    totalOf: ({ matching }) => matching,
    read: async (token, signal) => await listPeople(query(), token, signal),
    positions,
    isReturn,
  })
  return {
    filters,
    search,
    setSearch,
    cohorts,
    setCohorts: (changed: readonly CohortFilterDraft[]) => void setCohorts(changed),
    query,
    people,
    sort: (to: Sorting<SortKey>) => void setSorting(to),
    clear: () => {
      setSearch('')
      filters.setDrafts([])
      setCohorts([])
    },
    answer,
    isOld: () => page.isPlaceholderData,
    failure: () => (page.isError ? page.error : undefined),
    retry: () => void page.refetch(),
  }
}

/** The columns of the list, which a person chooses for each project. */
function createColumns() {
  const workspace = useWorkspace()
  const name = untrack(() => `columns_${workspace().project.id}`)
  const [columns, setColumns] = createSignal(readColumns(readPreference(name)))
  const change = (chosen: readonly ColumnChoice[]): void => {
    writePreference(name, writeColumns(chosen))
    setColumns(chosen)
  }
  return [columns, change] as const
}

function exportOf(query: PeopleQuery, columns: readonly ColumnChoice[]): ExportSource {
  const views = columns.map(viewOfColumn)
  return {
    fileName: 'people.csv',
    columns: [t('people.person'), t('people.personId'), ...views.map(({ title }) => title)].map((name) => ({
      name,
      kind: 'plain',
    })),
    pages: async function* (signal) {
      for await (const profiles of listAllPeople(query, signal)) {
        yield profiles.map((profile) => [
          namePerson(profile).name,
          profile.id,
          ...views.map(({ text }) => text(profile)),
        ])
      }
    },
  }
}
