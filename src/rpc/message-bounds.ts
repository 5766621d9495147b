import type { DescMethod } from '@bufbuild/protobuf'
import type { ServiceError } from '../contract/service-error.ts'
import { familyOfPath, LARGE_SERVICES } from '../contract/service-traits.ts'
import { findBinaryExcess } from './binary-bounds.ts'
import type { Codec } from './content-type.ts'
import { findJsonExcess } from './json-bounds.ts'
import { invalidRequest } from './protocol-errors.ts'

/**
 * Limits on the structure of a message. A parser turns a few bytes into an object of some hundred bytes, so a limit on bytes
 * alone bounds neither memory nor time.
 */
export interface MessageBounds {
  /** Levels of nested messages, objects and lists. */
  readonly depthMax: number
  /** Objects of JSON; messages and unknown fields of protobuf. */
  readonly objectsMax: number
  /** Members of objects, items of lists and fields of messages, all levels together. */
  readonly elementsMax: number
  /** Bytes of one text, name or number as sent. */
  readonly textBytesMax: number
}

/** The limits of RPC messages: room for a query of 50 series with 50 filters each, 20 groups of 50, and long lists of values. */
export const MESSAGE_BOUNDS: MessageBounds = {
  depthMax: 100,
  objectsMax: 4000,
  elementsMax: 200_000,
  textBytesMax: 1024 * 1024,
}

const LARGE_BOUNDS: MessageBounds = { ...MESSAGE_BOUNDS, objectsMax: 10_000 }

/** Bytes of a message without a credential, before and after decompression. */
const OPEN_BYTES_MAX = 64 * 1024

/** The console's own paths for sign-in and those of providers, which are no service. */
const SESSION_PATHS: readonly string[] = ['/console/session/', '/oauth/logout/']

/** Bytes of the longest message at a path, before and after decompression: `bytesMax`, or less without a credential. */
export function messageBytesMaxOf(path: string, bytesMax: number): number {
  const isOpen =
    familyOfPath(path)?.needsCredential === false || SESSION_PATHS.some((one) => path.startsWith(one))
  return isOpen ? Math.min(bytesMax, OPEN_BYTES_MAX) : bytesMax
}

/** The error for bytes that exceed the limits of a message, before they are parsed; `undefined` within the limits. */
export function refuseExcess(codec: Codec, method: DescMethod, bytes: Uint8Array): ServiceError | undefined {
  const bounds = LARGE_SERVICES.has(method.parent.typeName) ? LARGE_BOUNDS : MESSAGE_BOUNDS
  const excess =
    codec === 'json' ? findJsonExcess(bytes, bounds) : findBinaryExcess(method.input, bytes, bounds)
  return excess === undefined ? undefined : invalidRequest(`the request ${excess}`)
}
