import type { overview as english } from '../en/overview.ts'
import type { Translation } from '../messages.ts'

/** The Overview page, in Spanish. */
export const overview: Translation<typeof english> = {
  'overview.visitors': 'Visitantes',
}
