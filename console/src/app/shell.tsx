import {
  createEffect,
  createMemo,
  createResource,
  For,
  type JSX,
  lazy,
  Show,
  Suspense,
  untrack,
} from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { currentLocation, navigate } from '../context/router.ts'
import { chooseTheme, currentTheme, type Theme } from '../context/theme.ts'
import { type Account, loadAccount, type Workspace, WorkspaceProvider } from '../context/workspace.ts'
import { signOut, useProject } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { Async, Empty, ErrorBox, Skeleton } from '../ui/async.tsx'
import { parseSection, SECTIONS, type Section, type SectionRoute } from './sections.ts'

const NoProjectPage = lazy(async () => ({
  default: (await import('../pages/no-project.tsx')).NoProjectPage,
}))

/** The frame of every page of a signed-in user. */
export function Shell(): JSX.Element {
  const [account, { refetch }] = createResource(loadAccount)
  loadPage(untrack(() => parseSection(currentLocation().path)).section)
  const reload = async (): Promise<void> => {
    await refetch()
  }
  return (
    <Async of={account} retry={() => void refetch()}>
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

function ProjectShell(props: {
  readonly account: Account
  readonly reload: () => Promise<void>
}): JSX.Element {
  const at = createMemo(() => parseSection(currentLocation().path))
  const workspace = createMemo(() => {
    const found = findWorkspace(props.account, at().projectId, props.reload)
    if (found) useProject(found.project.id)
    return found
  })
  createEffect(() => {
    const found = workspace()
    if (found && at().projectId === '') navigate(`/p/${found.project.id}/live`, 'replace')
  })
  createEffect(() => {
    const found = workspace()
    const { title } = SECTIONS[at().section]
    document.title = found ? `${title} · ${found.project.displayName} · Millrace` : 'Millrace'
  })
  return (
    <div class="shell">
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <Sidebar account={props.account} place={at()} projectId={workspace()?.project.id ?? ''} />
      <main id="main" tabindex="-1">
        <Show
          when={workspace()?.project.id}
          keyed
          fallback={
            <Show
              when={at().projectId === '' || hasNoProject(props.account)}
              fallback={
                <Empty title="No such project">
                  <a href="/">Open your first project</a>
                </Empty>
              }
            >
              <Suspense fallback={<Skeleton lines={4} />}>
                <NoProjectPage account={props.account} reload={props.reload} />
              </Suspense>
            </Show>
          }
        >
          <WorkspaceProvider value={() => workspace() as Workspace}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <Dynamic component={SECTIONS[at().section].page} rest={at().rest} />
            </Suspense>
          </WorkspaceProvider>
        </Show>
      </main>
    </div>
  )
}

function Sidebar(props: {
  readonly account: Account
  readonly place: SectionRoute
  readonly projectId: string
}): JSX.Element {
  return (
    <header class="sidebar">
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width="24" height="24" /> Millrace
      </a>
      <label class="visually-hidden" for="project-switch">
        Project
      </label>
      <select
        id="project-switch"
        class="project-switch"
        onChange={(event) => {
          const { currentTarget: field } = event
          if (!navigate(`/p/${field.value}/${props.place.section}`)) field.value = props.projectId
        }}
      >
        <For each={props.account.organisations}>
          {({ org, projects }) => (
            <optgroup label={org.displayName}>
              <For each={projects}>
                {(project) => (
                  <option value={project.id} selected={project.id === props.projectId}>
                    {project.displayName}
                  </option>
                )}
              </For>
            </optgroup>
          )}
        </For>
      </select>
      <Show when={props.projectId !== ''}>
        <nav aria-label="Sections">
          <For each={Object.entries(SECTIONS)}>
            {([section, { title }]) => (
              <a
                href={`/p/${props.projectId}/${section}`}
                aria-current={props.place.section === section ? 'page' : undefined}
              >
                {title}
              </a>
            )}
          </For>
        </nav>
      </Show>
      <AccountCorner email={props.account.email} />
    </header>
  )
}

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' } as const satisfies Record<Theme, string>

function AccountCorner(props: { readonly email: string }): JSX.Element {
  const action = createAction()
  const leave = async (): Promise<void> => {
    await signOut()
    navigate('/sign-in', 'replace')
  }
  return (
    <div class="account-corner">
      <a class="small" href="/docs/" target="_blank" rel="noreferrer">
        Documentation
      </a>
      <span class="quiet small ellipsis">{props.email}</span>
      <div class="row">
        <label class="visually-hidden" for="theme">
          Theme
        </label>
        <select id="theme" onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
          <For each={Object.entries(THEMES)}>
            {([theme, label]) => (
              <option value={theme} selected={theme === currentTheme()}>
                {label}
              </option>
            )}
          </For>
        </select>
        <button
          type="button"
          class="button quiet-button"
          disabled={action.isRunning()}
          onClick={() => action.run(leave)}
        >
          Sign out
        </button>
      </div>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </div>
  )
}
