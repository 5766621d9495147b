import './messages.ts'
import { t } from '../i18n/translate.ts'
import { showToast } from '../ui/toast.tsx'

/** A longer text does not fit a message. */
const SHOWN_MAX = 200

/** Copies a text. Pages on plain HTTP have no clipboard: there the message holds a short text. */
export async function copyWithToast(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ text: t('common.copied'), tone: 'good' })
  } catch {
    const isShort = text.length <= SHOWN_MAX
    showToast({ text: isShort ? t('people.copyFailed', { text }) : t('ui.copyFailed'), tone: 'neutral' })
  }
}
