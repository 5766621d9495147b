import { timestampMs } from '@bufbuild/protobuf/wkt'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { type Session, SignInMethod } from '@contract/millrace/account/v1/sessions_service_pb.js'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { areSingleKeysOn, switchSingleKeys } from '../../context/keys.ts'
import { chooseTheme, currentTheme, type Theme } from '../../context/theme.ts'
import { useAccount } from '../../context/workspace.ts'
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../i18n/language.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/combobox.tsx'
import { Input, Switch as Toggle } from '../../ui/input.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { OrganisationList } from '../organisation-list.tsx'
import { SecondFactorCard } from '../second-factor/second-factor-card.tsx'
import { withProof } from '../second-factor/with-proof.tsx'
import { Assistants } from './assistants.tsx'
import { FormCard } from './form-card.tsx'
import { Identities } from './identities.tsx'
import { Sessions, useSessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'

const customersClient = clientOf(CustomersService)

/** The service takes a sign-in without a password for the current password for this time. */
const FRESH_MS = 10 * 60_000

/** The email, password, display, sessions, tokens, assistants and organisations of the account. */
export function AccountSettings(): JSX.Element {
  const place = useAccount()
  const account = () => place().account
  return (
    <>
      <Card title={t('settings.account')}>
        <div class="settings-account">
          <span class="ui-ellipsis">{account().email}</span>
          <Show
            when={account().isEmailVerified}
            fallback={
              <>
                <Badge tone="warn">{t('settings.notVerified')}</Badge>
                <span class="settings-quiet">{t('settings.notVerifiedHint')}</span>
              </>
            }
          >
            <Badge tone="good">{t('settings.verified')}</Badge>
          </Show>
        </div>
      </Card>
      <PasswordForm />
      <SecondFactorCard hasPassword={account().hasPassword} timeZone={place().timeZone} />
      <Identities />
      <Display />
      <Sessions />
      <Tokens />
      <Assistants />
      <OrganisationList account={account()} reload={place().reload} />
    </>
  )
}

/** Whether the account may set a password without the current one, as the service will decide. */
function isProvedWithoutPassword(session: Session | undefined): boolean {
  const { signInMethod, createTime } = session ?? {}
  const isOther =
    signInMethod !== undefined &&
    signInMethod !== SignInMethod.PASSWORD &&
    signInMethod !== SignInMethod.UNSPECIFIED
  return isOther && createTime !== undefined && Date.now() - timestampMs(createTime) < FRESH_MS
}

function PasswordForm(): JSX.Element {
  const place = useAccount()
  const sessions = useSessions()
  const [current, setCurrent] = createSignal('')
  const [password, setPassword] = createSignal('')
  const hasPassword = (): boolean => place().account.hasPassword
  const isProved = (): boolean =>
    isProvedWithoutPassword((sessions.isSuccess ? sessions.data : []).find(({ isCurrent }) => isCurrent))
  const save = async (): Promise<void> => {
    const { reload } = place()
    await withProof(
      async () => await customersClient.setPassword({ password: password(), currentPassword: current() }),
    )
    setCurrent('')
    setPassword('')
    await Promise.all([sessions.refetch(), reload()])
  }
  return (
    <FormCard
      title={t('settings.password')}
      submit={t('settings.setPassword')}
      done={t('settings.passwordSet')}
      onSubmit={save}
    >
      {(problem) => (
        <>
          <Switch>
            <Match when={!hasPassword()}>
              <p class="settings-text">{t('settings.noPassword')}</p>
            </Match>
            <Match when={isProved()}>
              <p class="settings-text">{t('settings.passwordFresh')}</p>
            </Match>
            <Match when={true}>
              <Input
                label={t('settings.currentPassword')}
                hint={t('settings.currentPasswordHint')}
                type="password"
                autocomplete="current-password"
                required
                value={current()}
                problem={problem('currentPassword')}
                onInput={setCurrent}
              />
            </Match>
          </Switch>
          <Input
            label={t('settings.newPassword')}
            hint={t('settings.newPasswordHint')}
            type="password"
            autocomplete="new-password"
            required
            minLength={8}
            value={password()}
            problem={problem('password')}
            onInput={setPassword}
          />
        </>
      )}
    </FormCard>
  )
}

const THEMES = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
} as const satisfies Record<Theme, NameKey>

/** Theme, language and keys; each takes effect at once. */
function Display(): JSX.Element {
  return (
    <Card title={t('settings.display')}>
      <div class="settings-fields">
        <p class="settings-text">{t('settings.displayText')}</p>
        <div class="settings-choice">
          <span class="settings-strong">{t('shell.theme')}</span>
          <SegmentedControl
            label={t('shell.theme')}
            choices={(Object.keys(THEMES) as Theme[]).map((value) => ({ value, label: t(THEMES[value]) }))}
            value={currentTheme()}
            onChange={chooseTheme}
          />
        </div>
        <Select
          label={t('shell.language')}
          options={(Object.entries(LANGUAGES) as [Language, string][]).map(([value, label]) => ({
            value,
            label,
          }))}
          value={currentLanguage}
          onChange={chooseLanguage}
        />
        <Toggle label={t('settings.singleKeys')} isChecked={areSingleKeysOn()} onChange={switchSingleKeys} />
        <p class="settings-text">{t('shell.keysSwitchHint')}</p>
      </div>
    </Card>
  )
}
