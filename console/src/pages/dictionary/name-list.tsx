import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { NameState } from '@contract/millrace/dictionary/v1/dictionary_pb.js'
import { decodeKindName } from '@domain/kind-name.ts'
import { useQuery } from '@tanstack/solid-query'
import BookText from 'lucide-solid/icons/book-text'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { createClock } from '../../context/clock.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { formatNumber, NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Pager, type Paging } from '../../people/paged-list.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import {
  dictionaryKey,
  type ListedName,
  labelOfState,
  NAMES_PER_PAGE,
  type NameQuery,
  readNames,
} from './names.ts'

/** A page of the names that a query selects. */
export function NameList(props: {
  readonly query: NameQuery
  readonly paging: Paging
  readonly onOpen: (name: string) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  useRowKeys()
  const list = useQuery(() => ({
    queryKey: [...dictionaryKey(workspace().project.id), props.query],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => await readNames(props.query, signal),
    structuralSharing: false,
  }))
  const columns = (): readonly Column<ListedName>[] =>
    columnsOf({
      open: props.onOpen,
      ago: (time) =>
        time ? formatAgo(timestampMs(time), { nowMs: nowMs(), timeZone: workspace().timeZone }) : NO_VALUE,
    })
  return (
    <Switch fallback={<SkeletonLines count={12} heightPx={28} />}>
      <Match when={list.isError && list.error}>
        {(error) => (
          <ErrorState title={t('dictionary.failed')} error={error()} onRetry={() => void list.refetch()} />
        )}
      </Match>
      <Match when={list.isSuccess && list.data.totalCount === 0 && list.data}>
        {(page) => (
          <EmptyState
            icon={<BookText />}
            title={t('dictionary.none')}
            text={t(page().truncated ? 'dictionary.truncated' : 'dictionary.noneText')}
          />
        )}
      </Match>
      <Match when={list.isSuccess && list.data}>
        {(page) => (
          <section class="ui-card people-card">
            <Table
              label={t(props.query.tab === 'events' ? 'dictionary.events' : 'dictionary.properties')}
              rows={unwrap(page()).names}
              columns={columns()}
              onOpen={({ name }) => props.onOpen(name)}
            />
            <Pager
              paging={props.paging}
              pageSize={NAMES_PER_PAGE}
              shown={page().names.length}
              total={page().totalCount}
              nextToken={page().nextPageToken}
            />
            <Show when={page().truncated}>
              <p class="dictionary-truncated">{t('dictionary.truncated')}</p>
            </Show>
          </section>
        )}
      </Match>
    </Switch>
  )
}

function columnsOf({
  open,
  ago,
}: {
  readonly open: (name: string) => void
  readonly ago: (time: Timestamp | undefined) => string
}): readonly Column<ListedName>[] {
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: ({ name, definition }) => (
        <span class="dictionary-name">
          <button type="button" class="dictionary-open" onClick={() => open(name)}>
            {definition?.displayName || decodeKindName(name)}
          </button>
          <Show when={(definition?.displayName || decodeKindName(name)) !== name}>
            <code>{name}</code>
          </Show>
          <span class="ui-ellipsis">{definition?.description}</span>
        </span>
      ),
    },
    { key: 'state', title: t('dictionary.state'), cell: (name) => <StateBadge name={name} /> },
    { key: 'owner', title: t('dictionary.owner'), cell: ({ definition }) => definition?.owner || NO_VALUE },
    {
      key: 'volume',
      title: t('dictionary.volume'),
      kind: 'number',
      cell: ({ recentCount }) => formatNumber(recentCount),
    },
    { key: 'first', title: t('dictionary.firstSeen'), cell: ({ firstSeenTime }) => ago(firstSeenTime) },
    { key: 'last', title: t('dictionary.lastSeen'), cell: ({ lastSeenTime }) => ago(lastSeenTime) },
  ]
}

const TONES: Partial<Record<NameState, 'good' | 'bad' | 'warn'>> = {
  [NameState.VERIFIED]: 'good',
  [NameState.DEPRECATED]: 'warn',
  [NameState.BLOCKED]: 'bad',
}

function StateBadge(props: { readonly name: ListedName }): JSX.Element {
  const mergedInto = (): string => ('mergedInto' in props.name ? props.name.mergedInto : '')
  const state = (): NameState => props.name.definition?.state ?? NameState.UNREVIEWED
  return (
    <Show
      when={mergedInto()}
      fallback={<Badge {...(TONES[state()] && { tone: TONES[state()] })}>{t(labelOfState(state()))}</Badge>}
    >
      {(name) => <Badge>{t('dictionary.mergedInto', { name: name() })}</Badge>}
    </Show>
  )
}
