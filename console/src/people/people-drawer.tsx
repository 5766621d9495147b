import type { ListResponse } from '@contract/millrace/people/v1/actors_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import ArrowLeft from 'lucide-solid/icons/arrow-left'
import { createEffect, createMemo, createSignal, type JSX, Show } from 'solid-js'
import type { ChartTarget } from '../charts/chart.ts'
import { useWorkspace } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { Whole } from '../rpc/query-client.ts'
import { Button } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer-panel.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { ActorList } from './actor-list.tsx'
import { createLongList } from './long-list.ts'
import { nameTarget } from './name-target.ts'
import type { OpenedPart } from './opened-part.ts'
import type { PeopleSource } from './people-context.ts'
import './people.css'
import { actorsRequest, keyOfRequest, listActors } from './people-queries.ts'
import { PersonPanel } from './person-panel.tsx'
import { createSettled } from './settled.ts'

/** The people behind a part of an answer, and one of them above the list. */
export function PeopleDrawer(props: {
  readonly part: OpenedPart
  readonly source: PeopleSource
  readonly onChange: (changed: Partial<OpenedPart>) => void
  readonly onClose: () => void
}): JSX.Element {
  const workspace = useWorkspace()
  const [search, setSearch] = createSignal('')
  const settled = createSettled(search)
  const point = createMemo(() => props.source.pointOf(props.part.target))
  // A query that is edited may no longer have the part.
  createEffect(() => point() === undefined && props.onClose())
  const request = createMemo(() => actorsRequest(props.source, point() ?? {}, settled().trim()))
  const key = createMemo(() => keyOfRequest(request()))
  const list = useQuery(() => ({
    queryKey: ['people-behind', workspace().project.id, key()],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      new Whole(await listActors(request(), '', signal)),
    enabled: point() !== undefined,
    placeholderData: (before: Whole<ListResponse> | undefined) => before,
  }))
  const answer = (): ListResponse | undefined => (list.isSuccess ? list.data.answer : undefined)
  const people = createLongList({
    first: answer,
    isOld: () => list.isPlaceholderData,
    pageOf: ({ users, nextPageToken }) => ({ rows: users, nextToken: nextPageToken }),
    totalOf: ({ matchingUsers }) => Number(matchingUsers),
    read: async (token, signal) => await listActors(request(), token, signal),
  })
  const title = (): string => {
    const name = nameTarget(props.part.target, props.source, workspace().timeZone)
    const count = answer()?.totalUsers
    return count === undefined ? name : t('people.heading', { title: name, count: Number(count) })
  }
  const openPerson = (person: string): void => props.onChange({ person })
  const close = (): void => (props.part.person === '' ? props.onClose() : openPerson(''))
  return (
    <Drawer
      title={props.part.person === '' ? title() : t('people.person')}
      isOpen={true}
      padding="none"
      onClose={close}
      actions={
        <Show when={props.part.person !== ''}>
          <Button size="small" tone="ghost" icon={<ArrowLeft />} onClick={() => openPerson('')}>
            {t('people.backToList')}
          </Button>
        </Show>
      }
    >
      <div class="people-level" hidden={props.part.person !== ''}>
        <OutcomeSwitch target={props.part.target} onChange={(target) => props.onChange({ target })} />
        <OrMoreSwitch target={props.part.target} onChange={(target) => props.onChange({ target })} />
        <ActorList
          request={request()}
          answer={answer()}
          isOld={list.isPlaceholderData}
          failure={list.isError ? list.error : undefined}
          onRetry={() => void list.refetch()}
          search={search()}
          onSearch={setSearch}
          people={people}
          onOpen={openPerson}
        />
      </div>
      <Show when={props.part.person} keyed>
        {(reference) => <PersonPanel reference={reference} />}
      </Show>
    </Drawer>
  )
}

/** For a cell of retention: those who came back, or those who did not. */
function OutcomeSwitch(props: {
  readonly target: ChartTarget
  readonly onChange: (target: ChartTarget) => void
}): JSX.Element {
  const cell = () => (props.target.kind === 'cell' && props.target.period > 0 ? props.target : undefined)
  const withPart = (part: 'returned' | 'absent'): void => {
    const shown = cell()
    if (!shown) return
    const { part: _, ...returned } = shown
    props.onChange(part === 'absent' ? { ...returned, part } : returned)
  }
  return (
    <Show when={cell()}>
      {(shown) => (
        <div class="people-outcome">
          <SegmentedControl
            label={t('people.outcome')}
            choices={[
              { value: 'returned', label: t('people.cameBack') },
              { value: 'absent', label: t('people.stayedAway') },
            ]}
            value={shown().part ?? 'returned'}
            onChange={withPart}
          />
        </div>
      )}
    </Show>
  )
}

/** For a number of active buckets: those with exactly that many, or those with more too. */
function OrMoreSwitch(props: {
  readonly target: ChartTarget
  readonly onChange: (target: ChartTarget) => void
}): JSX.Element {
  const activity = () => (props.target.kind === 'activity' ? props.target : undefined)
  return (
    <Show when={activity()}>
      {(shown) => (
        <div class="people-outcome">
          <SegmentedControl
            label={t('people.outcome')}
            choices={[
              { value: 'exactly', label: t('insights.exactlyThatMany') },
              { value: 'orMore', label: t('insights.thatManyOrMore') },
            ]}
            value={shown().orMore ? 'orMore' : 'exactly'}
            onChange={(value) => props.onChange({ ...shown(), orMore: value === 'orMore' })}
          />
        </div>
      )}
    </Show>
  )
}
