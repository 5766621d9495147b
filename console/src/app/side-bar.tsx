import CircleQuestionMark from 'lucide-solid/icons/circle-question-mark'
import Menu from 'lucide-solid/icons/menu'
import PanelLeft from 'lucide-solid/icons/panel-left'
import Search from 'lucide-solid/icons/search'
import { For, type JSX, Show, Suspense } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { currentLocation } from '../context/router.ts'
import { type Account, isSharing } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { isSetupOpen } from '../pages/first-run/setup-state.ts'
import { Keys } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.ts'
import { Popover } from '../ui/popover.tsx'
import { AccountChoices, AccountMenu } from './account-menu.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { LANDING_SECTION, SECTION_NAMES, SECTIONS, type Section, type SectionRoute } from './sections.ts'

/** The sections that the bar of a phone has no room for. */
const UNDER_MORE: readonly Section[] = ['people', 'sessions', 'alerts', 'reports', 'data', 'settings']

/** Properties that the parts of the frame share. */
interface FrameProps {
  readonly account: Account
  readonly route: SectionRoute
  /** Empty without a project. */
  readonly projectId: string
  readonly openPalette: () => void
  readonly showKeys: () => void
}

const OnlinePill = lazy(async () => ({ default: (await import('../pages/live/online.tsx')).OnlinePill }))
const OnlineCount = lazy(async () => ({ default: (await import('../pages/live/online.tsx')).OnlineCount }))
const StarredLinks = lazy(async () => ({
  default: (await import('./starred-links.tsx')).StarredLinks,
}))
const GuestNav = lazy(async () => ({ default: (await import('../pages/guest/guest-nav.tsx')).GuestNav }))
const SetupCard = lazy(async () => ({
  default: (await import('../pages/first-run/setup-card.tsx')).SetupCard,
}))

function orgOf({ organisations }: Account, projectId: string): string {
  return organisations.find(({ projects }) => projects.some(({ id }) => id === projectId))?.org.id ?? ''
}

/** The navigation at the left; the head of the page on phones. */
export function SideBar(
  props: FrameProps & { readonly isFolded: boolean; readonly fold: () => void },
): JSX.Element {
  const isMac = navigator.platform.startsWith('Mac')
  const hasRoom = matchMedia('(min-width: 768px)').matches
  return (
    <header class="side-bar" data-folded={props.isFolded ? '' : undefined}>
      <ProjectSwitcher
        account={props.account}
        projectId={props.projectId}
        section={props.route.section ?? LANDING_SECTION}
      />
      <Show when={!hasRoom && props.projectId !== ''}>
        <Suspense>
          <OnlinePill projectId={props.projectId} />
        </Suspense>
      </Show>
      <Show when={props.projectId !== ''}>
        <button type="button" class="side-search" aria-haspopup="dialog" onClick={() => props.openPalette()}>
          <Search />
          <span class="side-label">{t('common.search')}</span>
          <span class="side-keys" aria-hidden="true">
            <Keys keys={[isMac ? '⌘' : 'Ctrl', 'K']} />
          </span>
        </button>
        <nav class="side-nav" aria-label={t('shell.sections')}>
          <For each={SECTION_NAMES.filter((section) => section !== 'settings')}>
            {(section) => (
              <SectionLink
                section={section}
                route={props.route}
                projectId={props.projectId}
                isFolded={props.isFolded}
              />
            )}
          </For>
          <Suspense>
            <StarredLinks projectId={props.projectId} isFolded={props.isFolded} />
          </Suspense>
          <SectionLink
            section="settings"
            route={props.route}
            projectId={props.projectId}
            isFolded={props.isFolded}
          />
          <HelpLink isFolded={props.isFolded} />
        </nav>
        <Show when={hasRoom && !props.isFolded && isSetupOpen(props.projectId)}>
          <Suspense>
            <SetupCard
              projectId={props.projectId}
              orgId={orgOf(props.account, props.projectId)}
              visit={currentLocation().visit}
            />
          </Suspense>
        </Show>
      </Show>
      <Show when={props.projectId === '' && props.account.organisations.some(isSharing)}>
        <Suspense>
          <GuestNav account={props.account} isFolded={props.isFolded} />
        </Suspense>
      </Show>
      <div class="side-foot">
        <AccountMenu email={props.account.email} projectId={props.projectId} showKeys={props.showKeys} />
        <IconButton
          class="side-fold"
          tone="ghost"
          size="small"
          name={t(props.isFolded ? 'shell.unfold' : 'shell.fold')}
          keys="["
          onClick={() => props.fold()}
        >
          <PanelLeft />
        </IconButton>
      </div>
    </header>
  )
}

/** The navigation of phones, at the bottom of the window. */
export function BottomBar(props: FrameProps): JSX.Element {
  const isUnderMore = (): boolean =>
    props.route.section !== undefined && UNDER_MORE.includes(props.route.section)
  return (
    <nav class="bottom-bar" aria-label={t('shell.sections')}>
      <For each={SECTION_NAMES.filter((section) => !UNDER_MORE.includes(section))}>
        {(section) => <SectionLink section={section} route={props.route} projectId={props.projectId} />}
      </For>
      <Popover
        label={t('shell.more')}
        class="side-menu"
        trigger={(attributes) => (
          <button
            type="button"
            class="side-menu-button more-menu"
            classList={{ current: isUnderMore() }}
            {...attributes}
          >
            <Menu />
            <span>{t('shell.more')}</span>
          </button>
        )}
      >
        {(close) => (
          <>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click on a link bubbles, Enter too */}
            <nav class="more-links" aria-label={t('shell.sections')} onClick={close}>
              <For each={UNDER_MORE}>
                {(section) => (
                  <SectionLink section={section} route={props.route} projectId={props.projectId} />
                )}
              </For>
              <HelpLink />
            </nav>
            <AccountChoices
              projectId={props.projectId}
              onOpen={close}
              showKeys={() => {
                close()
                props.showKeys()
              }}
            />
          </>
        )}
      </Popover>
    </nav>
  )
}

function SectionLink(props: {
  readonly section: Section
  readonly route: SectionRoute
  readonly projectId: string
  readonly isFolded?: boolean
}): JSX.Element {
  const entry = () => SECTIONS[props.section]
  return (
    <a
      class="section-link"
      href={`/p/${props.projectId}/${props.section}`}
      data-section={props.section}
      data-tip={props.isFolded ? t(entry().title) : undefined}
      aria-current={props.route.section === props.section ? 'page' : undefined}
    >
      <Dynamic component={entry().icon} />
      <span class="side-label">{t(entry().title)}</span>
      <Show when={props.section === 'live' && props.isFolded === false}>
        <Suspense>
          <OnlineCount projectId={props.projectId} />
        </Suspense>
      </Show>
    </a>
  )
}

function HelpLink(props: { readonly isFolded?: boolean }): JSX.Element {
  return (
    <a
      class="section-link"
      href="/docs/"
      target="_blank"
      rel="noreferrer"
      data-tip={props.isFolded ? t('shell.help') : undefined}
    >
      <CircleQuestionMark />
      <span class="side-label">{t('shell.help')}</span>
    </a>
  )
}
