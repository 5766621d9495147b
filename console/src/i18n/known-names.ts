import { currentLanguage, type Language } from './language.ts'

const FILES = {
  en: async () => (await import('./en/known-names.ts')).knownNames,
  de: async () => (await import('./de/known-names.ts')).knownNames,
  es: async () => (await import('./es/known-names.ts')).knownNames,
  fr: async () => (await import('./fr/known-names.ts')).knownNames,
  ja: async () => (await import('./ja/known-names.ts')).knownNames,
} as const satisfies Record<Language, () => Promise<Readonly<Record<string, string>>>>

/** Descriptions of well-known events and of properties of page and visit, by their names as sent. */
export async function loadKnownNames(): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries(await FILES[currentLanguage]()))
}
