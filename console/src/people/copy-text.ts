import { t } from '../i18n/translate.ts'
import { showToast } from '../ui/toast.tsx'

/** Copies a text. Pages on plain HTTP have no clipboard: there the message holds the text. */
export async function copyWithToast(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ text: t('common.copied'), tone: 'good' })
  } catch {
    showToast({ text: t('people.copyFailed', { text }), tone: 'neutral' })
  }
}
