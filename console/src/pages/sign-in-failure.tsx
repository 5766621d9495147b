import { type JSX, Show } from 'solid-js'
import { type NameKey, t } from '../i18n/translate.ts'
import type { Failure } from '../rpc/failure.ts'
import { textOfFailure } from '../rpc/failure-text.ts'

/** Texts of failures on this page, by their code; the others have those of every page. */
const BY_CODE: Readonly<Record<string, NameKey>> = {
  resource_exhausted: 'signIn.tooMany',
  unavailable: 'signIn.unreachable',
}

/** The reason why a sign-in failed, in words, with the id of the request for the operator. */
export function SignInFailure(props: {
  readonly failure: Failure
  /** The meaning of a rejected credential in this place. */
  readonly rejected?: NameKey
}): JSX.Element {
  const words = (): NameKey | undefined => {
    const { code, reason } = props.failure
    if (reason === 'IDENTITY_PROVIDER_UNAVAILABLE') return undefined
    return code === 'unauthenticated' ? props.rejected : BY_CODE[code]
  }
  const text = (): string => {
    const key = words()
    return key === undefined ? textOfFailure(props.failure) : t(key)
  }
  return (
    <div class="sign-in-failure" role="alert">
      <p>{text()}</p>
      <Show when={props.failure.requestId !== ''}>
        <p class="sign-in-request">
          {t('ui.request')} <code>{props.failure.requestId}</code>
        </p>
      </Show>
    </div>
  )
}
