import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { t } from '../../i18n/translate.ts'
import { Failure } from '../../rpc/failure.ts'
import './passkey-messages.ts'

/** Lets the browser create a passkey with the options of the service. Returns its response as JSON. Throws `Failure`. */
export async function createPasskey(options: string): Promise<string> {
  const optionsJSON: PublicKeyCredentialCreationOptionsJSON = JSON.parse(options)
  return await askBrowser(optionsJSON.rp.id, async () => {
    const { startRegistration } = await import('./passkey-browser.ts')
    return await startRegistration({ optionsJSON })
  })
}

/** Lets the browser use a passkey with the options of the service. Returns its response as JSON. Throws `Failure`. */
export async function usePasskey(options: string): Promise<string> {
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = JSON.parse(options)
  return await askBrowser(optionsJSON.rpId, async () => {
    const { startAuthentication } = await import('./passkey-browser.ts')
    return await startAuthentication({ optionsJSON })
  })
}

async function askBrowser(host = '', ask: () => Promise<object>): Promise<string> {
  if (!isAtHost(host)) throw localFailure(t('passkey.otherOrigin', { origin: host }))
  if (!('PublicKeyCredential' in window)) throw localFailure(t('passkey.unsupported'))
  try {
    return JSON.stringify(await ask())
  } catch (thrown) {
    throw localFailure(t(isKnown(thrown) ? 'passkey.known' : 'passkey.dismissed'))
  }
}

/** Whether passkeys of a host work at this page. */
export function isAtHost(host: string): boolean {
  return location.hostname === host
}

/** The authenticator has one of the passkeys that the account has. */
function isKnown(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'InvalidStateError'
}

function localFailure(message: string): Failure {
  return new Failure({ code: 'canceled', message })
}
