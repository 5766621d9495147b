import type { SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import {
  type ListResponse,
  ListRequest_Sort as Sort,
} from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import { InsightType } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { useInfiniteQuery } from '@tanstack/solid-query'
import { createMemo, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useKeys } from '../../context/keys.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { INSIGHT_TYPES } from '../../insights/types/insight-types.ts'
import '../../library/library.css'
import { isKept } from '../../library/delete-later.ts'
import { createMemberNames } from '../../library/member-names.ts'
import '../../library/messages.ts'
import { savedInsightsClient, savedInsightsKey } from '../../library/saved-insights.ts'
import { Keys } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Checkbox, SearchInput } from '../../ui/input.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { SavedTable } from './saved-table.tsx'

/** The list is read once typing has stopped for this time. */
const TYPING_MS = 250

const SORTS = {
  updated: { value: Sort.UPDATED, name: 'library.sortUpdated' },
  name: { value: Sort.NAME, name: 'library.sortName' },
  created: { value: Sort.CREATED, name: 'library.sortCreated' },
} as const

const SORT_NAMES = ['updated', 'name', 'created'] as const

/** The conditions of the list; empty texts choose all. */
interface Choice {
  readonly search: string
  readonly type: string
  readonly tag: string
  readonly author: string
  readonly sort: keyof typeof SORTS
  readonly favoritesOnly: boolean
}

const NO_CHOICE: Choice = { search: '', type: '', tag: '', author: '', sort: 'updated', favoritesOnly: false }

const TYPE_NAMES = Object.keys(INSIGHT_TYPES) as readonly (keyof typeof INSIGHT_TYPES)[]

function typesOf(name: string): InsightType[] {
  const number: unknown = Reflect.get(InsightType, name.replace('INSIGHT_TYPE_', ''))
  return typeof number === 'number' ? [number] : []
}

/** The saved insights of the project, which can be searched and narrowed. */
export function SavedList(): JSX.Element {
  const workspace = useWorkspace()
  const [choice, setChoice] = createSignal(NO_CHOICE)
  const list = useInfiniteQuery(() => ({
    queryKey: [...savedInsightsKey(workspace().project.id), 'list', choice()],
    queryFn: async ({ pageParam, signal }): Promise<ListResponse> => {
      const { search, type, tag, author, sort, favoritesOnly } = choice()
      const conditions = { search, types: typesOf(type), tags: tag === '' ? [] : [tag], createdBy: author }
      const request = { ...conditions, favoritesOnly, sort: SORTS[sort].value, pageToken: pageParam }
      return await savedInsightsClient.list(request, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }: ListResponse) => nextPageToken || undefined,
    placeholderData: (before) => before,
    structuralSharing: false,
  }))
  const pages = createMemo((): readonly ListResponse[] => (list.isSuccess ? unwrap(list.data).pages : []))
  const rows = (): readonly SavedInsight[] =>
    pages()
      .flatMap(({ insights }) => insights)
      .filter(isKept)
  const isChosen = createMemo(() => JSON.stringify(choice()) !== JSON.stringify(NO_CHOICE))
  return (
    <>
      <Show when={list.isError && list.error}>
        {(failure) => (
          <ErrorState
            title={t('library.failed')}
            error={failure()}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        )}
      </Show>
      <Show when={list.isSuccess} fallback={<SkeletonLines count={4} heightPx={32} />}>
        <Show
          when={rows().length > 0 || isChosen()}
          fallback={<EmptyState title={t('library.none')} text={t('library.noneText')} />}
        >
          <ListFilters
            choice={choice()}
            page={pages()[0]}
            onChoose={(part) => setChoice((before) => ({ ...before, ...part }))}
          />
          <Show
            when={rows().length > 0}
            fallback={<EmptyState title={t('insights.noMatch')} text={t('insights.noMatchText')} />}
          >
            <SavedTable rows={rows()} />
          </Show>
          <Show when={list.hasNextPage}>
            <div class="library-more">
              <Button isLoading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t('library.more')}
              </Button>
            </div>
          </Show>
        </Show>
      </Show>
    </>
  )
}

function ListFilters(props: {
  readonly choice: Choice
  readonly page: ListResponse | undefined
  readonly onChoose: (part: Partial<Choice>) => void
}): JSX.Element {
  const nameOf = createMemberNames(() => props.page?.creators ?? [])
  let field: HTMLInputElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const search = (text: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => props.onChoose({ search: text }), TYPING_MS)
  }
  useKeys([{ keys: '/', label: t('shell.keySearch'), run: () => field?.focus() }])
  useRowKeys()
  return (
    <div class="insights-filters">
      <SearchInput
        ref={field}
        label={t('insights.search')}
        placeholder={t('insights.search')}
        onInput={search}
        after={<Keys keys={['/']} />}
      />
      <Select
        label={t('insights.type')}
        labelDisplay="hidden"
        value={props.choice.type}
        options={[
          { value: '', label: t('insights.allTypes') },
          ...TYPE_NAMES.map((value) => ({ value, label: t(INSIGHT_TYPES[value].name) })),
        ]}
        onChange={(type) => props.onChoose({ type })}
      />
      <Show when={(props.page?.tags.length ?? 0) > 0}>
        <Select
          label={t('library.tags')}
          labelDisplay="hidden"
          value={props.choice.tag}
          options={[
            { value: '', label: t('library.allTags') },
            ...(props.page?.tags ?? []).map((value) => ({ value, label: value })),
          ]}
          onChange={(tag) => props.onChoose({ tag })}
        />
      </Show>
      <Show when={(props.page?.creators.length ?? 0) > 1}>
        <Select
          label={t('library.author')}
          labelDisplay="hidden"
          value={props.choice.author}
          options={[
            { value: '', label: t('library.allAuthors') },
            ...(props.page?.creators ?? []).map((value) => ({ value, label: nameOf(value) || value })),
          ]}
          onChange={(author) => props.onChoose({ author })}
        />
      </Show>
      <Select
        label={t('library.sort')}
        labelDisplay="hidden"
        value={props.choice.sort}
        options={SORT_NAMES.map((value) => ({ value, label: t(SORTS[value].name) }))}
        onChange={(sort) => props.onChoose({ sort })}
      />
      <Checkbox
        label={t('library.favorites')}
        isChecked={props.choice.favoritesOnly}
        onChange={(favoritesOnly) => props.onChoose({ favoritesOnly })}
      />
      <span class="insights-count">{t('insights.count', { count: props.page?.totalCount ?? 0 })}</span>
    </div>
  )
}
