/** The languages of the console, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
} as const

/** A language of the console. */
export type Language = keyof typeof LANGUAGES

const COOKIE = 'millrace_language'
const YEAR_SECONDS = 31_536_000

/** Whether a text is the code of a language of the console. */
function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code)
}

/**
 * The language of a page and the locale of its numbers and dates: the choice, else the first language of the browser that the
 * console has. The region stays that of the browser: `en-GB` is English with British dates.
 */
export function pickLanguage(
  chosen: string,
  preferred: readonly string[],
): { readonly language: Language; readonly locale: string } {
  const found = preferred.map((tag) => tag.split('-')[0] ?? '').find(isLanguage)
  const language = isLanguage(chosen) ? chosen : (found ?? 'en')
  return { language, locale: preferred.find((tag) => tag.split('-')[0] === language) ?? language }
}

function readChoice(): string {
  const cookies = typeof document === 'undefined' ? '' : document.cookie
  const pair = cookies.split('; ').find((text) => text.startsWith(`${COOKIE}=`))
  return pair?.slice(COOKIE.length + 1) ?? ''
}

const picked = pickLanguage(readChoice(), typeof document === 'undefined' ? ['en-US'] : navigator.languages)

/** The language of this page; another choice takes effect when the page is loaded again. */
export const currentLanguage: Language = picked.language

/** The locale of numbers and dates, for `Intl`. */
export const currentLocale: string = picked.locale

/** Chooses a language, and loads the page again: texts and formats are constants of a loaded page. */
export function chooseLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the store that replaces it is missing on plain HTTP
  document.cookie = `${COOKIE}=${language}; Path=/; SameSite=Strict; Max-Age=${YEAR_SECONDS}`
  location.reload()
}
