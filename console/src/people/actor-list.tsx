import { timestampMs } from '@bufbuild/protobuf/wkt'
import { CohortsService } from '@contract/millrace/cohorts/v1/cohorts_service_pb.js'
import type { Actor, ListRequest, ListResponse } from '@contract/millrace/people/v1/actors_service_pb.js'
import Download from 'lucide-solid/icons/download'
import UsersRound from 'lucide-solid/icons/users-round'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { SaveCohortDialog } from '../cohorts/save-cohort.tsx'
import { createClock } from '../context/clock.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatAgo } from '../format/ago.ts'
import { plain } from '../format/table.ts'
import { formatCountry, formatMoment, isoOf } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Flag } from '../ui/flag.tsx'
import { SearchInput } from '../ui/input.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../ui/states.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'
import { createPeopleExport, type ExportSource } from './export-people.ts'
import type { LongList } from './long-list.ts'
import { listAllActors, saveActors } from './people-queries.ts'
import { PersonAvatar } from './person-avatar.tsx'
import { namePerson, type PersonName } from './person-name.ts'
import { RowPosition } from './row-position.tsx'

/** The list of a drawer: search, export, people. */
export function ActorList(props: {
  readonly request: ListRequest
  readonly answer: ListResponse | undefined
  readonly isOld: boolean
  readonly failure: unknown
  readonly onRetry: () => void
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly people: LongList<Actor>
  readonly onOpen: (reference: string) => void
}): JSX.Element {
  const nowMs = createClock()
  const csv = createPeopleExport(() => exportOf(props.request))
  const may = useMay()
  const [isSaving, setSaving] = createSignal(false)
  const matching = (): number => Number(props.answer?.matchingUsers ?? 0n)
  const cookieless = (): number => Number(props.answer?.cookielessUsers ?? 0n)
  return (
    <>
      <div class="people-tools">
        <SearchInput
          label={t('people.searchThese')}
          placeholder={t('people.searchThese')}
          maxlength="200"
          value={props.search}
          onInput={props.onSearch}
        />
        <Button
          icon={<Download />}
          aria-label={t('people.exportCsv')}
          isLoading={csv.count() !== undefined}
          isDisabled={matching() === 0}
          onClick={csv.start}
        >
          {csv.count() === undefined
            ? 'CSV'
            : t('people.exporting', { count: csv.count() ?? 0, total: matching() })}
        </Button>
        <Show when={may(CohortsService.method.saveFromPoint)}>
          <IconButton
            name={t('cohorts.saveAs')}
            isDisabled={Number(props.answer?.totalUsers ?? 0n) === cookieless()}
            onClick={() => setSaving(true)}
          >
            <UsersRound />
          </IconButton>
        </Show>
      </div>
      <Show when={isSaving()}>
        <SaveCohortDialog
          text={t('cohorts.saveAsText')}
          store={async (name) => await saveActors(props.request, name)}
          onClose={() => setSaving(false)}
        />
      </Show>
      <Switch fallback={<SkeletonLines count={8} heightPx={36} />}>
        <Match when={props.failure}>
          <div class="people-state">
            <ErrorState title={t('people.listFailed')} error={props.failure} onRetry={props.onRetry} />
          </div>
        </Match>
        <Match when={props.answer}>
          {(answer) => (
            <div class="people-list-box" aria-busy={props.isOld}>
              <Show
                when={answer().users.length > 0}
                fallback={<NoPeople {...props} cookieless={cookieless()} />}
              >
                <VirtualList
                  rows={props.people}
                  row={(actor) => <ActorRow actor={actor} nowMs={nowMs()} onOpen={props.onOpen} />}
                />
              </Show>
              <Show when={cookieless() > 0}>
                <p class="people-note">{t('people.cookieless', { count: cookieless() })}</p>
              </Show>
            </div>
          )}
        </Match>
      </Switch>
      <Show when={props.answer && matching() > 0}>
        <RowPosition list={props.people} />
      </Show>
    </>
  )
}

function NoPeople(props: { readonly search: string; readonly cookieless: number }): JSX.Element {
  const title = (): string => {
    if (props.search.trim() !== '') return t('people.noMatch', { text: props.search.trim() })
    return t(props.cookieless > 0 ? 'people.onlyCookieless' : 'people.none')
  }
  return <EmptyState title={title()} />
}

function nameActor({ id, profileId, traits }: Actor): PersonName {
  return namePerson({ id, externalId: profileId === '' ? '' : id, properties: traits })
}

/** The person as `readPerson` takes it. */
function referenceOf({ id, profileId }: Actor): string {
  return `id:${profileId === '' ? id : profileId}`
}

function ActorRow(props: {
  readonly actor: Actor
  readonly nowMs: number
  readonly onOpen: (reference: string) => void
}): JSX.Element {
  const workspace = useWorkspace()
  const name = () => nameActor(props.actor)
  const place = (): string => props.actor.city || formatCountry(props.actor.country)
  const lastMs = (): number | undefined =>
    props.actor.lastEventTime ? timestampMs(props.actor.lastEventTime) : undefined
  return (
    <button type="button" class="people-row" onClick={() => props.onOpen(referenceOf(props.actor))}>
      <PersonAvatar id={props.actor.id} person={name()} />
      <span class="people-row-name">
        <b>{name().name}</b>
        <span>{name().detail}</span>
      </span>
      <span class="people-row-place">
        <Show when={place() !== ''}>
          <span>
            <Flag country={props.actor.country} /> {place()}
          </span>
        </Show>
        <Show when={lastMs()}>
          {(ms) => (
            <time datetime={new Date(ms()).toISOString()} data-tip={formatMoment(ms(), workspace().timeZone)}>
              {formatAgo(ms(), { nowMs: props.nowMs, timeZone: workspace().timeZone })}
            </time>
          )}
        </Show>
      </span>
    </button>
  )
}

const COLUMNS = [
  'id',
  'person_id',
  'name',
  'email',
  'events',
  'first_event',
  'last_event',
  'country',
  'city',
  'properties',
].map(plain)

function exportOf(request: ListRequest): ExportSource {
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  return {
    columns: COLUMNS,
    fileName: 'people.csv',
    pages: async function* (signal) {
      for await (const { users } of listAllActors(request, signal)) {
        yield users.map((actor) => [
          actor.id,
          actor.profileId,
          textOf(actor.traits?.name),
          textOf(actor.traits?.email),
          Number(actor.events),
          isoOf(actor.firstEventTime),
          isoOf(actor.lastEventTime),
          actor.country,
          actor.city,
          actor.traits ? JSON.stringify(actor.traits) : '',
        ])
      }
    },
  }
}
