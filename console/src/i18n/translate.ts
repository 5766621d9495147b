import { type EnglishMessages, messages as english } from './en/index.ts'
import { currentLanguage, currentLocale, type Language } from './language.ts'
import { formatMessage, type Message, type MessageValues, type Translation } from './messages.ts'

/** The key of a message: `overview.visitors`. */
export type MessageKey = keyof EnglishMessages

/** The key of a message without placeholders, for tables of names. */
export type NameKey = {
  [Key in MessageKey]: MessageValues<EnglishMessages[Key]> extends readonly [] ? Key : never
}[MessageKey]

/** The messages of a language. */
export type Messages = Translation<EnglishMessages>

/** English is in the first bundle; the others load when they are chosen. */
const OTHER_LANGUAGES = {
  de: async () => (await import('./de/index.ts')).messages,
  es: async () => (await import('./es/index.ts')).messages,
  fr: async () => (await import('./fr/index.ts')).messages,
  ja: async () => (await import('./ja/index.ts')).messages,
} as const satisfies Record<Exclude<Language, 'en'>, () => Promise<Messages>>

let current: Readonly<Partial<Record<MessageKey, Message>>> = english

/** Reads the messages of the page's language. The console renders after it; in English if they cannot be read. */
export async function loadMessages(): Promise<void> {
  if (currentLanguage === 'en') return
  try {
    current = await OTHER_LANGUAGES[currentLanguage]()
    document.documentElement.lang = currentLanguage
  } catch {
    document.documentElement.lang = 'en'
  }
}

/** Adds the English messages of a page that loads later; the file of another language has all messages. */
export function addMessages(messages: Readonly<Partial<Record<MessageKey, Message>>>): void {
  current = { ...messages, ...current }
}

/**
 * A text of the page's language, with its placeholders filled in. Called while rendering: a constant of a module would be
 * made before the messages are there.
 */
export function t<Key extends MessageKey>(key: Key, ...values: MessageValues<EnglishMessages[Key]>): string {
  return formatMessage(current[key] ?? key, values[0] ?? {}, currentLocale)
}
