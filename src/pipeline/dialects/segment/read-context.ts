import { isServerLibrary } from '../../../contract/server-libraries.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignClient } from '../foreign/foreign-batch.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { CONTEXT_OBJECTS, CONTEXT_OMITTED, CONTEXT_VALUES } from './segment-names.ts'

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

/** The properties that the context of an event gives it. What the sender added to the context keeps its name behind `context_`. */
export function readContext(context: SourceObject): SourceObject {
  const properties: [string, unknown][] = []
  for (const [name, value] of Object.entries(context)) {
    const fields = Object.hasOwn(CONTEXT_OBJECTS, name) ? CONTEXT_OBJECTS[name] : undefined
    const property = Object.hasOwn(CONTEXT_VALUES, name) ? CONTEXT_VALUES[name] : undefined
    if (fields) properties.push(...renameFields(objectOf(value), fields))
    else if (property !== undefined) properties.push([property, value])
    else if (!CONTEXT_OMITTED.has(name)) properties.push([`context_${name}`, value])
  }
  return Object.fromEntries(properties.map(correctValue))
}

function renameFields(
  source: SourceObject,
  names: Readonly<Record<string, string>>,
): readonly [string, unknown][] {
  return Object.entries(names)
    .filter(([field, property]) => property !== '' && Object.hasOwn(source, field))
    .map(([field, property]) => [property, source[field]])
}

/** RudderStack's libraries name the absence of a referrer. */
const NO_REFERRER = '$direct'

/** Values that mean something else here under the same name. */
export function correctValue([name, value]: [string, unknown]): [string, unknown] {
  if (name === '$referrer') return [name, value === NO_REFERRER ? '' : value]
  if (name !== '$deviceType') return [name, value]
  return typeof value === 'string' && DEVICE_TYPES.has(value.toLowerCase())
    ? [name, value]
    : ['$platform', value]
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
