import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { createEffect, createMemo, type JSX, Show } from 'solid-js'
import { createClock } from '../../context/clock.ts'
import { navigate } from '../../context/router.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import type { LongList } from '../../people/long-list.ts'
import { PersonAvatar } from '../../people/person-avatar.tsx'
import { namePerson, personHref } from '../../people/person-name.ts'
import { eventIdOf } from '../../people/read-person.ts'
import type { Column, Sorting } from '../../ui/table.tsx'
import type { VirtualView } from '../../ui/virtual-rows.ts'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { viewOfColumn } from './column-cells.tsx'
import { type ColumnChoice, keyOfColumn } from './columns.ts'
import { ORDERS, type SortKey } from './list-state.ts'
import { keepNeighbours } from './neighbours.ts'

/** People as rows, which open their pages; only the visible ones are in the page. */
export function PeopleTable(props: {
  readonly list: LongList<Profile>
  readonly columns: readonly ColumnChoice[]
  readonly sorting: Sorting<SortKey>
  readonly timeZone: string
  readonly onSort: (sorting: Sorting<SortKey>) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  const hrefOf = (profile: Profile): string => personHref(workspace().project.id, profile)
  createEffect(() => keepNeighbours(props.list.around().map(hrefOf)))
  let view: VirtualView | undefined
  useRowKeys((by) => view?.move(by))
  const isSortable = (key: string): key is SortKey => Object.hasOwn(ORDERS, key)
  const columns = createMemo((): readonly Column<Profile, string>[] => {
    // Read while a cell is drawn, so that the ages in it go on.
    const now = {
      get nowMs() {
        return nowMs()
      },
      timeZone: props.timeZone,
    }
    return [
      {
        key: 'name',
        title: t('people.person'),
        kind: 'wide',
        isSortable: true,
        cell: (profile) => <PersonCell profile={profile} href={hrefOf(profile)} />,
      },
      ...props.columns.map((column): Column<Profile, string> => {
        const { title, kind, cell } = viewOfColumn(column)
        return {
          key: keyOfColumn(column),
          title,
          ...(kind && { kind }),
          isSortable: column.kind === 'fixed' && isSortable(column.name),
          cell: (profile) => cell(profile, now),
        }
      }),
    ]
  })
  return (
    <VirtualTable
      label={t('people.title')}
      columns={columns()}
      rows={props.list}
      sorting={props.sorting}
      onSort={({ key, direction }) => isSortable(key) && props.onSort({ key, direction })}
      onOpen={(profile) => navigate(hrefOf(profile))}
      onReady={(ready) => {
        view = ready
      }}
    />
  )
}

function PersonCell(props: { readonly profile: Profile; readonly href: string }): JSX.Element {
  const name = () => namePerson(props.profile)
  return (
    <span class="people-name">
      <PersonAvatar id={eventIdOf(props.profile)} person={name()} />
      <a href={props.href}>{name().name}</a>
      <Show when={name().detail !== ''}>
        <span class="people-detail">{name().detail}</span>
      </Show>
    </span>
  )
}
