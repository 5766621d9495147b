/** Characters of a kind at most. */
export const KIND_LENGTH_MAX = 200

const KIND = /^[a-zA-Z0-9_.-]+$/
const RESERVED_PREFIX = 'service.'

/** Introduces an escape: no kind that is a name itself contains it. */
const ESCAPE = '..'

/** One blank, which many names have. */
const BLANK = `${ESCAPE}_`

/** Introduces the digest of a name that is too long; a digest has 128 bits. */
const DIGEST = `${ESCAPE}-`
const DIGEST_LENGTH = 32
const HEAD_LENGTH_MAX = KIND_LENGTH_MAX - DIGEST.length - DIGEST_LENGTH

/**
 * The kind of an event that another product calls by any name. A name that is a kind is its own; characters that a kind cannot have
 * are escaped, so that two names never share a kind: `Sign Up` becomes `Sign.._Up`, and `Über-uns` becomes `..dc.ber-uns`. Of a
 * name that would be too long, the kind has the beginning and a digest.
 */
export function encodeKindName(name: string): string {
  if (isPlain(name)) return name
  const kind = escapeName(name)
  return kind.length <= KIND_LENGTH_MAX ? kind : `${headOf(name)}${DIGEST}${digestOf(name)}`
}

/** The name that a kind was made from, to show it: `…` stands for the rest of a long one. Other kinds are their own names. */
export function decodeKindName(kind: string): string {
  if (!kind.includes(ESCAPE)) return kind
  const [head = '', digest] = splitDigest(kind)
  const name = unescapeName(head)
  if (digest !== undefined) return escapeName(name) === head ? `${name}\u2026` : kind
  return encodeKindName(name) === kind ? name : kind
}

/** Whether a name is a valid kind without an escape. */
function isPlain(name: string): boolean {
  return (
    KIND.test(name) &&
    name.length <= KIND_LENGTH_MAX &&
    !name.includes(ESCAPE) &&
    !name.startsWith(RESERVED_PREFIX)
  )
}

/** Dots are escaped too: they would run into an escape beside them. */
function escapeName(name: string): string {
  const escaped = escapeAll(name, /[^a-zA-Z0-9_-]+/gu)
  return escaped.startsWith(RESERVED_PREFIX) ? escapeAll(name, /^s|[^a-zA-Z0-9_-]+/gu) : escaped
}

function escapeAll(name: string, characters: RegExp): string {
  return name.replaceAll(characters, (run) => {
    if (run === ' ') return BLANK
    const codes = Array.from(run, (character) => (character.codePointAt(0) ?? 0).toString(16))
    return `${ESCAPE}${codes.join('_')}.`
  })
}

function unescapeName(kind: string): string {
  return kind.replaceAll(/\.\.(?:_|([0-9a-f]+(?:_[0-9a-f]+)*)\.)/g, (text, codes: string | undefined) => {
    if (codes === undefined) return ' '
    const points = codes.split('_').map((code) => Number.parseInt(code, 16))
    return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : text
  })
}

/** As many characters of the name as leave room for the digest. */
function headOf(name: string): string {
  let [head, kind] = ['', '']
  for (const character of name) {
    const longer = escapeName(head + character)
    if (longer.length > HEAD_LENGTH_MAX) break
    head += character
    kind = longer
  }
  return kind
}

function splitDigest(kind: string): readonly string[] {
  const at = kind.length - DIGEST_LENGTH - DIGEST.length
  const isDigest = /^\.\.-[0-9a-f]+$/.test(kind.slice(Math.max(at, 0)))
  return isDigest && at > 0 ? [kind.slice(0, at), kind.slice(at + DIGEST.length)] : [kind]
}

const FNV_PRIME = 0x1000000000000000000013bn
const FNV_OFFSET = 0x6c62272e07bb014262b821756295c58dn

/** FNV-1a of the UTF-16 code units. Browsers and servers compute the same without waiting for it. */
function digestOf(name: string): string {
  let hash = FNV_OFFSET
  for (let index = 0; index < name.length; index++) {
    hash = BigInt.asUintN(128, (hash ^ BigInt(name.charCodeAt(index))) * FNV_PRIME)
  }
  return hash.toString(16).padStart(DIGEST_LENGTH, '0')
}
