import { isAscii, isUtf8, transcode } from 'node:buffer'
import type { ServiceError } from '../../../contract/service-error.ts'
import { err, ok, type Result } from '../../../kernel/result.ts'
import type { Coding } from '../../../rpc/coding.ts'
import { BATCH_UNPACK_RATIO_MAX, decompress, type UnpackBounds } from '../../../rpc/compression.ts'
import { findJsonExcess, tooDeep } from '../../../rpc/json-bounds.ts'
import type { MessageBounds } from '../../../rpc/message-bounds.ts'
import { batchTooLarge, invalidRequest } from '../../../rpc/protocol-errors.ts'

/** Wrappings of one body: gzip in base64 in a form, and one to spare. */
const WRAPPINGS_MAX = 4

/**
 * What fewer events have less of: as much as keeps a worker about as long as the largest BatchCreate request does, half a second. The 2,000
 * events of a full request may have 100 properties each.
 */
const COUNTS = { objectsMax: 50_000, elementsMax: 200_000 }

/** Limits of the JSON of a request. */
const BOUNDS: MessageBounds = { ...COUNTS, depthMax: 64, textBytesMax: 1024 * 1024 }

/** The form of the bytes themselves; the content type may claim another one. */
export type BodyForm = 'json' | 'gzip' | 'form' | 'base64' | 'empty'

/** Tells the form of a body by its first bytes: SDKs send gzip as text, and JSON as a form. */
export function bodyFormOf(bytes: Uint8Array): BodyForm {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  let at = 0
  while (at < bytes.length && isBlank(bytes[at])) at++
  if (at === bytes.length) return 'empty'
  if (bytes[at] === 0x7b || bytes[at] === 0x5b) return 'json'
  return findField(bytes) === undefined ? 'base64' : 'form'
}

/** Takes every wrapping off: the JSON text of a body, as bytes. The bounds are those of an event batch. */
export function unwrapBody(
  bytes: Uint8Array,
  coding: Coding,
  bytesMax: number,
  ratioMax: number = BATCH_UNPACK_RATIO_MAX,
): Result<Uint8Array, ServiceError> {
  let rest: Uint8Array = bytes
  const bounds = { bytesMax, ratioMax }
  if (coding === 'br' || coding === 'zstd') {
    const unpacked = decompress(bytes, coding, bounds)
    if (!unpacked.ok) return unpacked
    rest = unpacked.value
  }
  for (let depth = 0; depth < WRAPPINGS_MAX; depth++) {
    const form = bodyFormOf(rest)
    if (form === 'json') return ok(rest)
    if (form === 'empty') break
    const next = UNWRAP[form](rest, bounds)
    if (!next.ok) return next
    rest = next.value
  }
  return err(invalidRequest('the body must be JSON, plain or as gzip, base64 or the field `data` of a form'))
}

/** Parses JSON text within {@link BOUNDS}. */
export function parseForeignJson(bytes: Uint8Array): Result<unknown, ServiceError> {
  const isSmall = bytes.length <= SMALL_BYTES_MAX
  const excess = isSmall ? undefined : refuseExcess(bytes)
  if (excess) return err(excess)
  try {
    const value: unknown = JSON.parse(isUtf8(bytes) ? decodeUtf8(bytes) : repairText(bytes))
    const isObjectOrList = typeof value === 'object' && value !== null
    return isSmall && isObjectOrList && isDeeper(value, BOUNDS.depthMax) ? err(tooDeepBody()) : ok(value)
  } catch {
    return err(refuseExcess(bytes) ?? invalidRequest('the body must be valid JSON'))
  }
}

/** The error for JSON beyond {@link BOUNDS}: whether its sender gains by sending fewer events at once. */
function refuseExcess(bytes: Uint8Array): ServiceError | undefined {
  const excess = findJsonExcess(bytes, BOUNDS)
  if (excess === undefined) return undefined
  const tooMany = findJsonExcess(bytes, { ...COUNTS, depthMax: Infinity, textBytesMax: Infinity })
  return tooMany === undefined ? invalidRequest(`the body ${excess}`) : batchTooLarge(`the body ${tooMany}`)
}

function tooDeepBody(): ServiceError {
  return invalidRequest(`the body ${tooDeep(BOUNDS)}`)
}

/** Up to this many bytes only the depth can be too much: it is looked for in what was parsed, instead of in every byte. */
const SMALL_BYTES_MAX = Math.min('{}'.length * COUNTS.objectsMax, COUNTS.elementsMax, BOUNDS.textBytesMax)

/** Whether a value has objects and lists in more levels than there may be. Speed: `dialect/posthog-js-10`. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  // Names are not needed, and objects of many forms give their values at once sooner than one by one.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const member of members) {
    if (typeof member === 'object' && member !== null && isDeeper(member, levels - 1)) return true
  }
  return false
}

/** The text of valid UTF-8. Its decoder takes three times as long as two steps without one. Speed: `dialect/segment-15`. */
function decodeUtf8(bytes: Uint8Array): string {
  const buffer = asBuffer(bytes)
  return isAscii(buffer)
    ? buffer.toString('latin1')
    : transcode(buffer, 'utf8', 'utf16le').toString('utf16le')
}

const UNWRAP = {
  gzip: (bytes, bounds) => decompress(bytes, 'gzip', bounds),
  form: (bytes) => readForm(bytes),
  base64: (bytes) => readBase64(asText(bytes)),
} as const satisfies Record<
  Exclude<BodyForm, 'json' | 'empty'>,
  (bytes: Uint8Array, bounds: UnpackBounds) => Result<Uint8Array, ServiceError>
>

const FIELD = Buffer.from('data=')
const AMPERSAND = 0x26

/** The offset of the value of the field `data`; `undefined` in bytes that are no form. A form may have any number of fields. */
function findField(bytes: Uint8Array): number | undefined {
  const buffer = asBuffer(bytes)
  for (let at = buffer.indexOf(FIELD); at !== -1; at = buffer.indexOf(FIELD, at + 1)) {
    if (at === 0 || buffer[at - 1] === AMPERSAND) return at + FIELD.length
  }
  return undefined
}

function readForm(bytes: Uint8Array): Result<Uint8Array, ServiceError> {
  const start = findField(bytes) ?? 0
  const end = bytes.indexOf(AMPERSAND, start)
  const sent = bytes.subarray(start, end === -1 ? bytes.length : end)
  const packed = readCommonBase64(sent)
  if (packed) return ok(packed)
  const value = asText(sent)
  const plain = decodePercent(value.replaceAll('+', ' ')).trimStart()
  if (plain.startsWith('{') || plain.startsWith('[')) return ok(Buffer.from(plain))
  // Base64 has the plus sign itself, which not every SDK encodes.
  return readBase64(decodePercent(value).replaceAll(' ', '+'))
}

/** Malformed escapes stay as they are. */
function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const PERCENT = 0x25

/** What `%2B` and the like stand for, by the two bytes after the percent sign: the characters of base64 that forms escape. */
const ESCAPED: ReadonlyMap<number, number> = new Map(
  ['+', '/', '='].map((character) => {
    const [, high = 0, low = 0] = Buffer.from(encodeURIComponent(character))
    return [(high << 8) | low, character.charCodeAt(0)]
  }),
)

/**
 * Decodes base64 in a form as SDKs write it, with plus signs escaped or not; `undefined` for any other text, which {@link readForm}
 * looks at more closely. Escapes are rare: what is between them is copied at once. Speed: `dialect/mixpanel-50`.
 */
function readCommonBase64(bytes: Uint8Array): Buffer | undefined {
  const escaped = asBuffer(bytes)
  const digits = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let at = 0
  for (;;) {
    const percent = escaped.indexOf(PERCENT, at)
    length += escaped.copy(digits, length, at, percent === -1 ? bytes.length : percent)
    if (percent === -1) return decodeExactly(digits.toString('latin1', 0, length))
    digits[length++] = readEscape(bytes, percent + 1)
    at = Math.min(percent + 3, bytes.length)
  }
}

/** The escaped character at `at`, or NUL, which base64 does not have. */
function readEscape(bytes: Uint8Array, at: number): number {
  return ESCAPED.get(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) ?? 0
}

/** Decodes base64; `undefined` for a text with other characters, which the decoder skips: it then has fewer bytes than its length says. */
function decodeExactly(text: string): Buffer | undefined {
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  const decoded = Buffer.from(text, 'base64')
  const isExact = digits > 0 && digits % 4 !== 1 && decoded.length === Math.floor((digits * 3) / 4)
  return isExact ? decoded : undefined
}

function readBase64(text: string): Result<Uint8Array, ServiceError> {
  if (!/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text)) return err(invalidRequest('the body must be JSON or base64'))
  return ok(Buffer.from(text, 'base64'))
}

/** A lead and a trail surrogate that were each encoded as three bytes (CESU-8). */
const SURROGATES = /\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g

/** Text that is not UTF-8: pairs of encoded surrogates become their character, everything else U+FFFD. */
function repairText(bytes: Uint8Array): string {
  const repaired = asBuffer(bytes)
    .toString('latin1')
    .replaceAll(SURROGATES, (pair) => {
      const [, a = 0, b = 0, , c = 0, d = 0] = Buffer.from(pair, 'latin1')
      const lead = 0xd000 | ((a & 0x3f) << 6) | (b & 0x3f)
      const trail = 0xd000 | ((c & 0x3f) << 6) | (d & 0x3f)
      return Buffer.from(String.fromCharCode(lead, trail)).toString('latin1')
    })
  return Buffer.from(repaired, 'latin1').toString('utf8')
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function asText(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8')
}
