import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { type NameKey, t } from '../i18n/translate.ts'
import type { Failure } from '../rpc/failure.ts'
import { createAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { ErrorState } from '../ui/states.tsx'
import { readShare, type Share } from './shared-answers.ts'

/** The texts of failures of a password, by code. */
const PROBLEMS: Readonly<Record<string, NameKey>> = {
  invalid_argument: 'dashboards.wrongPassword',
  resource_exhausted: 'dashboards.tooManyPasswords',
}

/** The form in which a reader enters the password of a shared dashboard. The grant stays in the memory of the page. */
export function ShareUnlock(props: {
  readonly shareId: string
  /** The dashboard as its link opens it, with the grant. */
  readonly onUnlock: (share: Share) => void
}): JSX.Element {
  const action = createAction()
  const [password, setPassword] = createSignal('')
  const problem = (): string | undefined => {
    const key = PROBLEMS[action.failure()?.code ?? '']
    return key && t(key)
  }
  const otherFailure = (): Failure | undefined => (problem() === undefined ? action.failure() : undefined)
  const left = new AbortController()
  onCleanup(() => left.abort())
  const unlock = async (): Promise<void> => {
    const asked = { shareId: props.shareId, password: password() }
    props.onUnlock(await readShare(asked, left.signal))
  }
  return (
    <form
      class="share-unlock"
      onSubmit={(event) => {
        event.preventDefault()
        action.run(unlock)
      }}
    >
      <img src="/favicon.svg" alt="" width="36" height="36" />
      <h1>{t('dashboards.lockedTitle')}</h1>
      <p>{t('dashboards.lockedText')}</p>
      <Input
        type="password"
        label={t('dashboards.password')}
        autocomplete="current-password"
        required
        value={password()}
        problem={problem()}
        onInput={setPassword}
      />
      <Button type="submit" tone="primary" isLoading={action.isRunning()}>
        {t('dashboards.unlock')}
      </Button>
      <Show when={otherFailure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
    </form>
  )
}
