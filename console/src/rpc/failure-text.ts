import { createSignal } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Failure } from './failure.ts'

type Texts = typeof import('./failure-reasons.ts')['TEXTS']

/** Without the texts, as when the service cannot be reached, a failure has its message. */
const NO_TEXTS: Texts = {
  ofFailure: ({ message }) => t('ui.answered', { message }),
  ofField: (description) => description,
}

const [texts, setTexts] = createSignal<Texts>()
let loading: Promise<void> | undefined

async function loadTexts(): Promise<void> {
  loading ??= import('./failure-reasons.ts')
    .then(({ TEXTS }) => void setTexts(TEXTS))
    .catch(() => void setTexts(NO_TEXTS))
  await loading
}

function knownTexts(): Texts | undefined {
  const known = texts()
  if (!known) void loadTexts()
  return known
}

/**
 * A failure in the language of the reader; where its reason has no text, the message of the service. It is empty until the
 * texts are loaded, which what is drawn follows.
 */
export function textOfFailure(failure: Failure): string {
  return failure.reason === '' ? failure.message : (knownTexts()?.ofFailure(failure) ?? '')
}

/** The problem of a field in the language of the reader; `undefined` for one without, empty like {@link textOfFailure}. */
export function textOfField({ reason, violations }: Failure, path: string): string | undefined {
  const problem = violations.get(path)
  return problem === undefined || reason === '' ? problem : (knownTexts()?.ofField(problem) ?? '')
}

/** The same for a text that is shown once, as in a toast. */
export async function writeFailure(thrown: unknown): Promise<string> {
  await loadTexts()
  return textOfFailure(Failure.from(thrown))
}
