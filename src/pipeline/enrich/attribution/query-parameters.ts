/** Reads the parameters of a query that have one of the given names. */
export class QueryReader {
  readonly #indexes: ReadonlyMap<string, number>
  /** First characters of the names: skips nearly every other parameter. */
  readonly #initials = new Uint8Array(128)
  readonly #none: readonly undefined[]

  constructor(names: readonly string[]) {
    this.#indexes = new Map(names.map((name, index) => [name, index]))
    this.#none = names.map(() => undefined)
    // A name may be percent-encoded from its first character on.
    for (const name of [...names, '%']) this.#initials[name.charCodeAt(0)] = 1
  }

  /**
   * The decoded values in the order of the names, each the first that is not empty; `undefined` when there are none. Agrees
   * with URLSearchParams.
   */
  read(query: string): readonly (string | undefined)[] | undefined {
    let found: (string | undefined)[] | undefined
    for (let start = 0, end = 0; start < query.length; start = end + 1) {
      end = endOf(query, '&', start, query.length)
      if (this.#initials[query.charCodeAt(start)] !== 1) continue
      const nameEnd = endOf(query, '=', start, end)
      const index = this.#indexes.get(decodeName(query.slice(start, nameEnd)))
      if (index === undefined || found?.[index] !== undefined) continue
      const value = decodeValue(query.slice(nameEnd + 1, end))
      if (value === '') continue
      found ??= [...this.#none]
      found[index] = value
    }
    return found
  }
}

function endOf(query: string, mark: string, start: number, end: number): number {
  const at = query.indexOf(mark, start)
  return at === -1 || at > end ? end : at
}

/** Decodes ASCII escapes in a name. Never throws, because a query may have hundreds of invalid names. */
function decodeName(raw: string): string {
  if (!raw.includes('%')) return raw
  return raw.replace(/%([2-7][0-9A-Fa-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Decodes as URLSearchParams does. */
function decodeValue(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    // Invalid UTF-8 or a lone %: URLSearchParams decodes them leniently.
    return new URLSearchParams(`value=${raw}`).get('value') ?? ''
  }
}
