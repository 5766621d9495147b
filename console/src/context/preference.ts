const YEAR_SECONDS = 31_536_000

/** A choice of the person at this browser: `theme`, `sidebar`. Empty without one. */
export function readPreference(name: string): string {
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`millrace_${name}=`))
  return pair?.slice(pair.indexOf('=') + 1) ?? ''
}

/** Keeps a choice for later visits: a word, in a cookie, as plain HTTP has no other store that all tabs share. */
export function writePreference(name: string, word: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the store that replaces it is missing on plain HTTP
  document.cookie = `millrace_${name}=${word}; Path=/; SameSite=Strict; Max-Age=${YEAR_SECONDS}`
}
