import { isServerLibrary } from '../../../contract/server-libraries.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignClient } from '../foreign/foreign-batch.ts'
import type { ForeignProperties } from '../foreign/foreign-properties.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { CONTEXT_MEMBERS } from './segment-names.ts'

/** Kinds of devices; apps send the name of their platform in this place. */
const DEVICE_TYPES: ReadonlySet<string> = new Set([
  'mobile',
  'tablet',
  'desktop',
  'tv',
  'wearable',
  'console',
])

/** Libraries whose user agent is that of the browser. */
const BROWSER_LIBRARIES: ReadonlySet<string> = new Set(['analytics.js', 'RudderLabs JavaScript SDK'])

/** Adds what the context of an event tells. What the sender added to the context keeps its name behind `context_`. */
export function addContext(properties: ForeignProperties, context: SourceObject): void {
  for (const name in context) {
    const value = context[name]
    const member = CONTEXT_MEMBERS.get(name)
    if (typeof member === 'string') properties.add(member, value)
    else if (member !== undefined) addFields(properties, objectOf(value), member)
    else if (!CONTEXT_MEMBERS.has(name)) properties.add(`context_${name}`, value)
  }
}

function addFields(
  properties: ForeignProperties,
  source: SourceObject,
  names: ReadonlyMap<string, string>,
): void {
  for (const field in source) {
    const property = names.get(field)
    if (property !== undefined) addCorrect(properties, property, source[field])
  }
}

/** Adds a property under its name here; `''` is none. Some values mean something else here under the same name. */
export function addCorrect(properties: ForeignProperties, name: string, value: unknown): void {
  if (name === '$deviceType' && !isDeviceType(value)) properties.add('$platform', value)
  else if (name !== '') properties.add(name, value)
}

function isDeviceType(value: unknown): boolean {
  return typeof value === 'string' && DEVICE_TYPES.has(value.toLowerCase())
}

/** Whether the library of an event runs in a browser or an app, so that its requests come from the user. */
export function isOnDevice(record: SourceObject, context: SourceObject): boolean {
  const library = libraryOf(context)
  return library !== '' && !isServerLibrary(library) && fieldOf(record, 'channel') !== 'server'
}

/** The client of the user. Requests of servers say nothing about it, so only what the event itself names counts. */
export function readClient(record: SourceObject, context: SourceObject): ForeignClient {
  const isDevice = isOnDevice(record, context)
  const ip = textOf(fieldOf(context, 'ip'))
  const userAgent = textOf(fieldOf(context, 'userAgent'))
  const isBrowser = isDevice && BROWSER_LIBRARIES.has(libraryOf(context))
  return {
    place:
      isDevice && ip === undefined
        ? 'request'
        : { address: ip === undefined ? undefined : canonicalAddress(ip) },
    agent: isBrowser && userAgent === undefined ? 'request' : { userAgent },
  }
}

/** The context of an item of a batch: that of the batch, with its own on top, object by object. */
export function mergeContext(ofBatch: SourceObject, own: SourceObject): SourceObject {
  if (Object.keys(ofBatch).length === 0) return own
  const objects = Object.entries(own).map(([name, value]): [string, unknown] => {
    const shared = fieldOf(ofBatch, name)
    return [name, isObject(shared) && isObject(value) ? { ...shared, ...value } : value]
  })
  return { ...ofBatch, ...Object.fromEntries(objects) }
}

function libraryOf(context: SourceObject): string {
  return textOf(fieldOf(objectOf(fieldOf(context, 'library')), 'name')) ?? ''
}
