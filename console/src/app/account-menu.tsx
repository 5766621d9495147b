import ChevronsUpDown from 'lucide-solid/icons/chevrons-up-down'
import { For, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { chooseTheme, currentTheme, type Theme } from '../context/theme.ts'
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../i18n/language.ts'
import { type MessageKey, t } from '../i18n/translate.ts'
import { signOut } from '../rpc/session.ts'
import { createAction } from '../ui/action.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Popover } from '../ui/popover.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { ErrorState } from '../ui/states.tsx'

const THEMES = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
} as const satisfies Record<Theme, MessageKey>

/** The settings of an account without a project. */
export const ACCOUNT_PATH = '/account'

/** Ends the session, and leads to the sign-in page. */
export async function leaveAccount(): Promise<void> {
  await signOut()
  navigate('/sign-in', 'replace')
}

/** The menu of the signed-in person at the foot of the side bar. */
export function AccountMenu(props: {
  readonly email: string
  /** Empty without a project. */
  readonly projectId: string
  readonly showKeys: () => void
}): JSX.Element {
  return (
    <Popover
      label={t('shell.account')}
      class="side-menu"
      placement="top-start"
      trigger={(attributes) => (
        <button type="button" class="side-menu-button account-menu" {...attributes}>
          <span class="ui-hidden">
            {t('shell.account')} {props.email}
          </span>
          <Avatar id={props.email} name={props.email} />
          <AddressLines email={props.email} />
          <ChevronsUpDown class="side-label side-arrow" />
        </button>
      )}
    >
      {(close) => (
        <AccountChoices
          projectId={props.projectId}
          onOpen={close}
          showKeys={() => {
            close()
            props.showKeys()
          }}
        />
      )}
    </Popover>
  )
}

/** An address in two lines, which have more room than one. */
function AddressLines(props: { readonly email: string }): JSX.Element {
  const at = (): number => props.email.lastIndexOf('@')
  return (
    <span class="side-label project-names" aria-hidden="true">
      <span class="project-name ui-ellipsis">{props.email.slice(0, at())}</span>
      <span class="project-org ui-ellipsis">{props.email.slice(at() + 1)}</span>
    </span>
  )
}

/** Theme, language, settings, keys and sign-out. */
export function AccountChoices(props: {
  /** Empty without a project. */
  readonly projectId: string
  /** Called when the settings open. */
  readonly onOpen: () => void
  readonly showKeys: () => void
}): JSX.Element {
  const action = createAction()
  return (
    <div class="account-choices">
      <p class="side-menu-label">{t('shell.theme')}</p>
      <SegmentedControl
        label={t('shell.theme')}
        choices={(Object.keys(THEMES) as Theme[]).map((value) => ({ value, label: t(THEMES[value]) }))}
        value={currentTheme()}
        onChange={chooseTheme}
      />
      <p class="side-menu-label">{t('shell.language')}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: the label above is no legend of a form */}
      <div role="group" aria-label={t('shell.language')}>
        <For each={Object.entries(LANGUAGES)}>
          {([language, name]) => (
            <button
              type="button"
              class="side-menu-row"
              lang={language}
              aria-pressed={language === currentLanguage}
              onClick={() => chooseLanguage(language as Language)}
            >
              {name}
            </button>
          )}
        </For>
      </div>
      <hr class="side-menu-line" />
      <a
        class="side-menu-row"
        href={props.projectId === '' ? ACCOUNT_PATH : `/p/${props.projectId}/settings/account`}
        onClick={() => props.onOpen()}
      >
        {t('shell.accountSettings')}
      </a>
      <button type="button" class="side-menu-row" onClick={() => props.showKeys()}>
        {t('shell.shortcuts')} <kbd class="ui-key">?</kbd>
      </button>
      <button
        type="button"
        class="side-menu-row"
        disabled={action.isRunning()}
        onClick={() => action.run(leaveAccount)}
      >
        {t('shell.signOut')}
      </button>
      <Show when={action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </div>
  )
}
