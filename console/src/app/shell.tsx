import {
  createEffect,
  createMemo,
  createResource,
  createSignal,
  type JSX,
  Match,
  Show,
  Suspense,
  Switch,
  untrack,
} from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { followKeys, useKeys } from '../context/keys.ts'
import { currentLocation, navigate } from '../context/router.ts'
import {
  type Account,
  isSharing,
  loadAccount,
  type Workspace,
  WorkspaceProvider,
} from '../context/workspace.ts'
import { type NameKey, t } from '../i18n/translate.ts'
import { NotesLayer } from '../library/notes-layer.tsx'
import { PeopleLayer } from '../people/people-layer.tsx'
import { useProject } from '../rpc/session.ts'
import { Async, Skeleton } from '../ui/async.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.ts'
import { retryLater } from '../ui/retry-later.ts'
import { EmptyState } from '../ui/states.tsx'
import { Toasts } from '../ui/toast.tsx'
import { ACCOUNT_PATH, leaveAccount } from './account-menu.tsx'
import type { Command } from './commands.ts'
import { createRail } from './rail.ts'
import { LANDING_SECTION, parseSection, SECTION_NAMES, SECTIONS, type Section } from './sections.ts'
import './shell.css'
import { BottomBar, SideBar } from './side-bar.tsx'

const NoProjectPage = lazy(async () => ({
  default: (await import('../pages/no-project.tsx')).NoProjectPage,
}))
const AccountPage = lazy(async () => ({ default: (await import('../pages/account.tsx')).AccountPage }))
const GuestPage = lazy(async () => ({ default: (await import('../pages/guest/guest-page.tsx')).GuestPage }))
const LockedPage = lazy(async () => ({
  default: (await import('../pages/second-factor/locked-page.tsx')).LockedPage,
}))
const DemoBanner = lazy(async () => ({
  default: (await import('../pages/first-run/demo-banner.tsx')).DemoBanner,
}))
const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))

/** The frame of every page of a signed-in user. */
export function Shell(): JSX.Element {
  const [account, { refetch }] = createResource(loadAccount)
  retryLater(
    () => account.error as unknown,
    () => void refetch(),
  )
  const section = untrack(() => parseSection(currentLocation().path)).section
  if (section) loadPage(section)
  const reload = async (): Promise<void> => {
    await refetch()
  }
  return (
    <Async of={account} retry={() => void refetch()} title={t('shell.startFailed')}>
      {(loaded) => <ProjectShell account={loaded()} reload={reload} />}
    </Async>
  )
}

/** Loads a page while the account loads. If that fails, the page shows the error. */
function loadPage(section: Section): void {
  SECTIONS[section].page.preload().catch(() => undefined)
}

function hasNoProject({ organisations }: Account): boolean {
  return organisations.every(({ projects }) => projects.length === 0)
}

/** Whether the page is that of dashboards which are shared with the account. */
function isOfGuest(account: Account, path: string): boolean {
  if (/^\/shared(\/|$)/.test(path)) return true
  return hasNoProject(account) && account.organisations.some(isSharing) && path !== '/organisations'
}

function findWorkspace(
  account: Account,
  projectId: string,
  reload: () => Promise<void>,
): Workspace | undefined {
  const all = account.organisations.flatMap(({ org, projects }) =>
    projects.map((project) => ({
      account,
      org,
      project,
      timeZone: project.reportingTimezone === '' ? 'UTC' : project.reportingTimezone,
      reload,
    })),
  )
  return projectId === '' ? all[0] : all.find(({ project }) => project.id === projectId)
}

type Layer = 'palette' | 'keys'

function ProjectShell(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  // A page that writes its own parameters stays where it is: a workspace of its own for each change would draw every row anew.
  const path = createMemo(() => currentLocation().path)
  const at = createMemo(() => parseSection(path()))
  const projectOfPath = createMemo(() => at().projectId)
  const workspace = createMemo(() => {
    const found = findWorkspace(props.account, projectOfPath(), props.reload)
    // Without one, calls must not name the project of an earlier page, which may be closed by now.
    useProject(found?.project.id ?? '')
    return found
  })
  const projectId = (): string => workspace()?.project.id ?? ''
  createEffect(() => {
    const isStart = at().projectId === '' && at().section !== undefined
    if (projectId() !== '' && isStart) navigate(`/p/${projectId()}/${LANDING_SECTION}`, 'replace')
  })
  followTitle(() => ({ name: nameOfPage(path(), at().section), project: workspace()?.project.displayName }))
  const [layer, setLayer] = createSignal<Layer>()
  const { isRail, fold } = createRail()
  const showKeys = (): void => void setLayer('keys')
  const openPalette = (): void => void setLayer('palette')
  const open = (place: string): void => void navigate(`/p/${projectId()}/${place}`)
  followKeys()
  useKeys([
    { keys: 'mod+k', label: t('shell.keyPalette'), run: openPalette },
    // A page with a search of its own has the key.
    { keys: '/', label: t('common.search'), run: openPalette },
    ...SECTION_NAMES.map((section) => ({
      keys: `g ${SECTIONS[section].key}`,
      label: t('shell.keyGoTo', { page: t(SECTIONS[section].title) }),
      run: () => open(section),
    })),
    { keys: '[', label: t('shell.fold'), run: fold },
    { keys: '?', label: t('shell.keyList'), run: showKeys },
  ])
  const commands = (): readonly Command[] => commandsOf(props.account, { open, showKeys, fold })
  const frame = { openPalette, showKeys }
  return (
    <div class="shell" data-folded={isRail() ? '' : undefined}>
      <a class="skip-link" href="#main">
        {t('shell.skip')}
      </a>
      <SideBar
        account={props.account}
        route={at()}
        projectId={projectId()}
        isFolded={isRail()}
        fold={fold}
        {...frame}
      />
      <main id="main" tabindex="-1">
        <Page
          account={props.account}
          reload={props.reload}
          workspace={workspace()}
          path={path()}
          section={at().section}
          rest={at().rest}
        />
      </main>
      <Show when={projectId() !== ''}>
        <BottomBar account={props.account} route={at()} projectId={projectId()} {...frame} />
      </Show>
      <Toasts />
      <Suspense>
        <Switch>
          <Match when={layer() === 'palette' && projectId() !== ''}>
            <CommandPalette
              commands={commands()}
              projectId={projectId()}
              onClose={() => setLayer(undefined)}
            />
          </Match>
          <Match when={layer() === 'keys'}>
            <KeysDialog onClose={() => setLayer(undefined)} />
          </Match>
        </Switch>
      </Suspense>
    </div>
  )
}

/** The page of the address, or why there is none. */
function Page(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
  readonly workspace: Workspace | undefined
  readonly path: string
  readonly section: Section | undefined
  readonly rest: string
}): JSX.Element {
  const entry = () => (props.section ? SECTIONS[props.section] : undefined)
  return (
    <Switch
      fallback={
        <EmptyState
          title={t('shell.noProject')}
          actions={<ButtonLink href="/">{t('shell.openFirstProject')}</ButtonLink>}
        />
      }
    >
      <Match when={!props.workspace && props.account.organisations.some(({ isLocked }) => isLocked)}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <LockedPage account={props.account} reload={props.reload} />
        </Suspense>
      </Match>
      <Match when={props.path === ACCOUNT_PATH}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <AccountPage account={props.account} reload={props.reload} />
        </Suspense>
      </Match>
      <Match when={isOfGuest(props.account, props.path)}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <GuestPage account={props.account} path={props.path} />
        </Suspense>
      </Match>
      <Match when={hasNoProject(props.account)}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <NoProjectPage account={props.account} reload={props.reload} />
        </Suspense>
      </Match>
      <Match when={!props.section}>
        <EmptyState
          title={t('shell.notFoundTitle')}
          text={t('shell.notFoundText')}
          actions={<ButtonLink href="/">{t('shell.notFoundAction')}</ButtonLink>}
        />
      </Match>
      <Match when={props.workspace?.project.id} keyed>
        <WorkspaceProvider value={() => props.workspace as Workspace}>
          <PeopleLayer>
            <NotesLayer>
              {/* It stays while a page loads. */}
              <Suspense>
                <Show when={props.workspace?.project.isDemo}>
                  <DemoBanner />
                </Show>
              </Suspense>
              <Suspense fallback={<Skeleton lines={8} />}>
                <Dynamic component={entry()?.page} rest={props.rest} />
              </Suspense>
            </NotesLayer>
          </PeopleLayer>
        </WorkspaceProvider>
      </Match>
    </Switch>
  )
}

function nameOfPage(path: string, section: Section | undefined): NameKey {
  if (path === ACCOUNT_PATH) return 'shell.accountSettings'
  return section ? SECTIONS[section].title : 'shell.notFoundTitle'
}

function followTitle(shown: () => { readonly name: NameKey; readonly project: string | undefined }): void {
  createEffect(() => {
    const { name, project } = shown()
    document.title = project === undefined ? 'Millrace' : `${t(name)} · ${project} · Millrace`
  })
}

/** The commands that the palette offers on every page. */
function commandsOf(
  { organisations }: Account,
  act: {
    /** Opens a section, or a place in one. */
    readonly open: (place: Section | `${Section}?${string}`) => void
    readonly showKeys: () => void
    readonly fold: () => void
  },
): readonly Command[] {
  const [pages, actions] = [t('shell.palettePages'), t('shell.paletteActions')]
  return [
    ...SECTION_NAMES.map((section) => ({
      group: pages,
      label: t(SECTIONS[section].title),
      icon: SECTIONS[section].icon,
      keys: `g ${SECTIONS[section].key}`,
      run: () => act.open(section),
    })),
    { group: pages, label: t('shell.help'), run: () => void window.open('/docs/', '_blank', 'noreferrer') },
    { group: actions, label: t('shell.newInsight'), run: () => act.open('insights?new=trends') },
    { group: actions, label: t('shell.shortcuts'), keys: '?', run: act.showKeys },
    { group: actions, label: t('shell.fold'), keys: '[', run: act.fold },
    { group: actions, label: t('shell.signOut'), run: () => void leaveAccount() },
    ...organisations.flatMap(({ projects }) =>
      projects.map(({ id, displayName }) => ({
        group: t('shell.paletteProjects'),
        label: displayName,
        run: () => void navigate(`/p/${id}/${LANDING_SECTION}`),
      })),
    ),
  ]
}
