import type { Methods } from '../api.ts'

/** An error in a loop says nothing new, and must not crowd out other events. */
const ERRORS_MAX = 10

/** Addresses in a stack, without their query: `https://shop.example/app.js:10:5`. */
const PLACE = /(https?:\/\/[^\s?#)]+?)(?:[?#][^\s):]*)?:(\d+)(?::\d+)?(?=\)|\s|$)/

/** Records errors that nothing in the page handles, each once and at most ten of a page. */
export function start({ track }: Pick<Methods, 'track'>): void {
  const seen = new Set<string>()
  const report = (error: unknown, told: string, place = ''): void => {
    const isError = error instanceof Error
    const code = isError ? error.name : 'Error'
    const message = withoutPersonalData(isError ? error.message : told)
    const [, file = '', line = ''] = PLACE.exec(place) ?? PLACE.exec((isError && error.stack) || '') ?? []
    const key = [code, message, file, line].join()
    if (seen.has(key) || seen.size >= ERRORS_MAX) return
    seen.add(key)
    const source = file && `${file}:${line}`
    track('error_occurred', { error_code: code, message, source, severity: 'error', unhandled: true })
  }
  addEventListener('error', ({ error, message, filename, lineno }) => {
    // Browsers hide errors of scripts of other origins, and an element that does not load is no error of a script.
    if (message && (error || filename)) report(error, message, `${filename}:${lineno}`)
  })
  addEventListener('unhandledrejection', ({ reason }) => report(reason, 'a promise was rejected'))
}

/** Messages may quote what people entered: addresses, numbers, and queries of URLs. */
function withoutPersonalData(message: string): string {
  return message
    .replace(/[^\s@"'<]+@[^\s@"'>]+/g, '[email]')
    .replace(/[?#]\S*/g, '')
    .replace(/\d[\d\s().-]{3,}\d/g, '[number]')
    .slice(0, 300)
}
