import { PersonExportService } from '@contract/millrace/people/v1/person_export_service_pb.js'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { useQuery, useQueryClient } from '@tanstack/solid-query'
import Copy from 'lucide-solid/icons/copy'
import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import EyeOff from 'lucide-solid/icons/eye-off'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { currentLocation, navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { copyWithToast } from '../../people/copy-text.ts'
import { namePerson } from '../../people/person-name.ts'
import { eventIdOf, type KnownPerson, readPerson } from '../../people/read-person.ts'
import '../../people/people.css'
import { isNotFound } from '../../rpc/failure.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { EraseDialog, HideDialog } from './erase-person.tsx'
import { createPersonExport } from './export-person.ts'
import { neighbourOf } from './neighbours.ts'
import './people-list.css'
import { PersonBody } from './person-body.tsx'
import { PersonHead } from './person-head.tsx'
import './person-page.css'

/** One person: their profile and their events. */
export function PersonPage(props: { readonly reference: string }): JSX.Element {
  const workspace = useWorkspace()
  const person = useQuery(() => ({
    queryKey: ['person', workspace().project.id, props.reference],
    queryFn: async () => (await readPerson(props.reference)) ?? null,
  }))
  const known = (): KnownPerson | undefined => (person.isSuccess ? (person.data ?? undefined) : undefined)
  const title = (): string => {
    const profile = known()?.profile
    return profile ? namePerson(profile).name : ''
  }
  const list = (): string => `/p/${workspace().project.id}/people`
  useNeighbourKeys()
  return (
    <div class="person-page" data-page="full">
      <PageBar>
        <nav class="person-crumbs" aria-label={t('people.title')}>
          <a href={list()}>{t('people.title')}</a>
          <span aria-hidden="true">›</span>
          <span>{title()}</span>
        </nav>
        <Show when={known()}>{(found) => <PersonMenu profile={found().profile} />}</Show>
      </PageBar>
      <Switch fallback={<SkeletonLines count={10} heightPx={28} />}>
        <Match when={isNotFound(person.error)}>
          <NoSuchPerson list={list()} />
        </Match>
        <Match when={person.isError && person.error}>
          {(error) => (
            <ErrorState
              title={t('people.personFailed')}
              error={error()}
              onRetry={() => void person.refetch()}
            />
          )}
        </Match>
        <Match when={person.isSuccess && !known()}>
          <NoSuchPerson list={list()} />
        </Match>
        <Match when={known()}>
          {(found) => (
            <>
              <PersonHead profile={found().profile} />
              <PersonBody person={found()} />
            </>
          )}
        </Match>
      </Switch>
    </div>
  )
}

function NoSuchPerson(props: { readonly list: string }): JSX.Element {
  return (
    <EmptyState
      title={t('people.notFound')}
      text={t('people.notFoundText')}
      actions={<ButtonLink href={props.list}>{t('people.allPeople')}</ButtonLink>}
    />
  )
}

/** `j` and `k` lead to the next and the previous person of the list that one came from. */
function useNeighbourKeys(): void {
  const go = (by: 1 | -1): void => {
    const href = neighbourOf(currentLocation().path, by)
    if (href !== undefined) navigate(href)
  }
  useKeys([
    { keys: 'j', label: t('people.nextPerson'), run: () => go(1) },
    { keys: 'k', label: t('people.previousPerson'), run: () => go(-1) },
  ])
}

/** The actions on a person. */
function PersonMenu(props: { readonly profile: Profile }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const client = useQueryClient()
  const [layer, setLayer] = createSignal<'hide' | 'erase'>()
  const id = (): string => eventIdOf(props.profile)
  const exportPerson = createPersonExport()
  // Lists that were read before still have the person.
  const leave = (): void => {
    // A person who is gone is not read again.
    navigate(`/p/${workspace().project.id}/people`)
    for (const name of ['people', 'person', 'people-behind', 'sessions', 'session', 'session-count'])
      void client.invalidateQueries({ queryKey: [name] })
  }
  const entries = (): readonly MenuEntry[] => [
    { label: t('people.copyId'), icon: () => <Copy />, onSelect: () => void copyWithToast(id()) },
    ...(may(PersonExportService.method.export)
      ? [{ label: t('people.exportPerson'), icon: () => <Download />, onSelect: () => exportPerson(id()) }]
      : []),
    ...(may(ProfilesService.method.delete)
      ? [{ label: t('people.hide'), icon: () => <EyeOff />, onSelect: () => void setLayer('hide') }]
      : []),
    ...(may(ProfilesService.method.deleteDataSubject)
      ? ([
          'line',
          {
            label: t('people.erase'),
            icon: () => <Trash />,
            tone: 'danger',
            onSelect: () => void setLayer('erase'),
          },
        ] as const)
      : []),
  ]
  return (
    <>
      <Menu
        trigger={(attributes) => (
          <IconButton {...attributes} name={t('common.moreActions')}>
            <Ellipsis />
          </IconButton>
        )}
        entries={entries()}
      />
      <HideDialog
        profileId={props.profile.id}
        name={namePerson(props.profile).name}
        isOpen={layer() === 'hide'}
        onClose={() => setLayer(undefined)}
        onHidden={leave}
      />
      <Show when={layer() === 'erase'}>
        <EraseDialog id={id()} onClose={() => setLayer(undefined)} onErased={leave} />
      </Show>
    </>
  )
}
