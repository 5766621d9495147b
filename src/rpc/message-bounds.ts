import type { DescMethod } from '@bufbuild/protobuf'
import type { ServiceError } from '../contract/service-error.ts'
import { findBinaryExcess } from './binary-bounds.ts'
import type { Codec } from './content-type.ts'
import { findJsonExcess } from './json-bounds.ts'
import { invalidRequest } from './protocol-errors.ts'

/**
 * What a message may be made of. A parser turns a few bytes into an object of some hundred, so the number of bytes alone
 * bounds neither its memory nor its time.
 */
export interface MessageBounds {
  /** Messages, objects and lists inside each other. */
  readonly depthMax: number
  /** Objects of JSON; messages and unknown fields of protobuf. */
  readonly objectsMax: number
  /** Members of objects, items of lists and fields of messages, all levels together. */
  readonly elementsMax: number
  /** Bytes of one text, name or number as sent. */
  readonly textBytesMax: number
}

/** Of the messages of RPCs: a question of 50 series with 50 filters each and 20 groups of as many, and long lists of values. */
export const MESSAGE_BOUNDS: MessageBounds = {
  depthMax: 100,
  objectsMax: 4000,
  elementsMax: 200_000,
  textBytesMax: 1024 * 1024,
}

/** A dashboard has up to a hundred tiles, each with a question. */
const DASHBOARD_BOUNDS: MessageBounds = { ...MESSAGE_BOUNDS, objectsMax: 10_000 }

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'

/** Bytes of a message that strangers may send, before and after decompression. */
const OPEN_BYTES_MAX = 64 * 1024

/** Services that anybody may call without a credential. */
const OPEN_PATHS: readonly string[] = ['/public.', '/grpc.', '/console/session/']

/** Bytes of the longest message at a path, before and after decompression, where others have `bytesMax`. */
export function messageBytesMaxOf(path: string, bytesMax: number): number {
  return OPEN_PATHS.some((prefix) => path.startsWith(prefix)) ? Math.min(bytesMax, OPEN_BYTES_MAX) : bytesMax
}

/** Why a message must not be parsed, found on its bytes; `undefined` when it may be. */
export function refuseExcess(codec: Codec, method: DescMethod, bytes: Uint8Array): ServiceError | undefined {
  const bounds = method.parent.typeName === DASHBOARDS ? DASHBOARD_BOUNDS : MESSAGE_BOUNDS
  const excess =
    codec === 'json' ? findJsonExcess(bytes, bounds) : findBinaryExcess(method.input, bytes, bounds)
  return excess === undefined ? undefined : invalidRequest(`the request ${excess}`)
}
