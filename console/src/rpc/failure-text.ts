import { createSignal } from 'solid-js'
import { type NameKey, t } from '../i18n/translate.ts'
import { Failure } from './failure.ts'

const [texts, setTexts] = createSignal<Readonly<Record<string, NameKey>>>()
let loading: Promise<void> | undefined

/** Without the texts, as when the service cannot be reached, a failure has its message. */
async function loadTexts(): Promise<void> {
  loading ??= import('./failure-reasons.ts')
    .then(({ REASON_TEXTS }) => void setTexts(REASON_TEXTS))
    .catch(() => void setTexts({}))
  await loading
}

/**
 * A failure in the language of the reader; where its reason has no text, the message of the service. It is empty until the
 * texts are loaded, which what is drawn follows.
 */
export function textOfFailure({ reason, message }: Failure): string {
  if (reason === '') return message
  const known = texts()
  if (!known) {
    void loadTexts()
    return ''
  }
  const key = Object.hasOwn(known, reason) ? known[reason] : undefined
  return key === undefined ? t('ui.answered', { message }) : t(key)
}

/** The same for a text that is shown once, as in a toast. */
export async function writeFailure(thrown: unknown): Promise<string> {
  await loadTexts()
  return textOfFailure(Failure.from(thrown))
}
