/** Whether a caller takes no answer of a moment ago: `cache-control: no-cache`. */
export function wantsFreshAnswer(headers: Headers): boolean {
  return /\bno-cache\b/.test(headers.get('cache-control') ?? '')
}
