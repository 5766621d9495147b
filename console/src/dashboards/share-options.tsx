import Copy from 'lucide-solid/icons/copy'
import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/combobox.tsx'
import { Input, Switch } from '../ui/input.tsx'
import { showToast } from '../ui/toast.tsx'
import { type BoardSettings, useBoard } from './board.ts'
import { embedCode } from './share-address.ts'
import { expiryOf, expiryOptions, isExpired } from './share-expiry.ts'

/** Changes the settings of the dashboard, one change at a time. */
interface OptionProps {
  readonly isBusy: boolean
  readonly onChange: (settings: BoardSettings, onDone?: () => void) => void
}

/** The options of the public link: the range of its readers, an expiry time, a password, and frames of other sites. */
export function ShareOptions(props: OptionProps): JSX.Element {
  const board = useBoard()
  return (
    <>
      <Switch
        label={t('dashboards.mayChooseRange')}
        isChecked={!board.dashboard().isRangePinned}
        isDisabled={props.isBusy}
        onChange={(mayChoose) => props.onChange({ isRangePinned: !mayChoose })}
      />
      <ExpiryOption {...props} />
      <PasswordOption {...props} />
      <EmbedOption {...props} />
    </>
  )
}

function ExpiryOption(props: OptionProps): JSX.Element {
  const board = useBoard()
  const expireTime = () => board.dashboard().shareExpireTime
  const now = () => ({ nowMs: Date.now(), timeZone: board.asOf().timeZone })
  return (
    <Select
      label={t('dashboards.expires')}
      options={expiryOptions(expireTime(), now())}
      value={expireTime() ? 'set' : 'never'}
      isDisabled={props.isBusy}
      problem={isExpired(expireTime(), Date.now()) ? t('dashboards.expiredText') : undefined}
      onChange={(choice) => {
        const shareExpireTime = expiryOf(choice, Date.now())
        if (shareExpireTime) props.onChange({ shareExpireTime })
      }}
    />
  )
}

/** A switch, and a field for the password; turning the switch off removes a password at once. */
function PasswordOption(props: OptionProps): JSX.Element {
  const board = useBoard()
  const [isEntering, setEntering] = createSignal(false)
  const hasPassword = (): boolean => board.dashboard().hasSharePassword
  return (
    <>
      <Switch
        label={t('dashboards.asksPassword')}
        isChecked={hasPassword() || isEntering()}
        isDisabled={props.isBusy}
        onChange={(isOn) => {
          setEntering(isOn)
          if (!isOn && hasPassword()) props.onChange({ sharePassword: '' })
        }}
      />
      <Show
        when={isEntering()}
        fallback={
          <Show when={hasPassword()}>
            <Button size="small" class="share-change" onClick={() => setEntering(true)}>
              {t('dashboards.changePassword')}
            </Button>
          </Show>
        }
      >
        <PasswordForm
          isBusy={props.isBusy}
          onSave={(sharePassword) => props.onChange({ sharePassword }, () => setEntering(false))}
          onCancel={() => setEntering(false)}
        />
      </Show>
    </>
  )
}

/** As the service requires. */
const PASSWORD_LENGTH_MIN = 8
const PASSWORD_LENGTH_MAX = 128

function PasswordForm(props: {
  readonly isBusy: boolean
  readonly onSave: (password: string) => void
  readonly onCancel: () => void
}): JSX.Element {
  const [password, setPassword] = createSignal('')
  const isLongEnough = (): boolean => [...password()].length >= PASSWORD_LENGTH_MIN
  return (
    <form
      class="share-password"
      onSubmit={(event) => {
        event.preventDefault()
        if (isLongEnough()) props.onSave(password())
      }}
    >
      <Input
        type="password"
        label={t('dashboards.password')}
        hint={t('dashboards.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autocomplete="new-password"
        maxlength={PASSWORD_LENGTH_MAX}
        value={password()}
        onInput={setPassword}
      />
      <div class="share-password-buttons">
        <Button type="submit" isDisabled={!isLongEnough()} isLoading={props.isBusy}>
          {t('dashboards.setPassword')}
        </Button>
        <Button tone="ghost" onClick={() => props.onCancel()}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  )
}

function EmbedOption(props: OptionProps): JSX.Element {
  const board = useBoard()
  const code = (): string => {
    const { shareId, displayName: name } = board.dashboard()
    return embedCode({ origin: location.origin, shareId, name })
  }
  return (
    <>
      <Switch
        label={t('dashboards.mayEmbed')}
        isChecked={board.dashboard().isEmbeddable}
        isDisabled={props.isBusy}
        onChange={(isEmbeddable) => props.onChange({ isEmbeddable })}
      />
      <Show when={board.dashboard().isEmbeddable}>
        <CopyField
          label={t('dashboards.embedCode')}
          value={code()}
          verb={t('dashboards.copyCode')}
          copied={t('dashboards.codeCopied')}
        />
      </Show>
    </>
  )
}

/** A text to copy, with more actions after the button. */
export function CopyField(props: {
  readonly label: string
  readonly value: string
  readonly verb: string
  /** The notice after copying. */
  readonly copied: string
  readonly children?: JSX.Element
}): JSX.Element {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.value)
    showToast({ text: props.copied })
  }
  return (
    <div class="share-link">
      <Input
        label={props.label}
        labelDisplay="hidden"
        readOnly
        value={props.value}
        onFocus={(event) => event.currentTarget.select()}
      />
      {/* Pages on plain HTTP have no clipboard. */}
      <Show when={isSecureContext}>
        <Button icon={<Copy />} onClick={() => void copy()}>
          {props.verb}
        </Button>
      </Show>
      {props.children}
    </div>
  )
}
