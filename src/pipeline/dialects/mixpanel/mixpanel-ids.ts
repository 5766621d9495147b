import { fieldOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** Mixpanel's prefix of the ids of devices, where they stand for a visitor. */
const DEVICE_PREFIX = '$device:'

/** Whether the id is one of a device, and no user is signed in. */
export function isAnonymous(id: string, properties: SourceObject): boolean {
  if (id.startsWith(DEVICE_PREFIX)) return true
  return (
    id === textOf(fieldOf(properties, '$device_id')) && textOf(fieldOf(properties, '$user_id')) === undefined
  )
}

/** The id of a device as that of a visitor: the one that its events have before a sign-in. */
export function visitorOf(properties: SourceObject): string | undefined {
  const device = textOf(fieldOf(properties, '$device_id'))
  if (device === undefined) return undefined
  return device.startsWith(DEVICE_PREFIX) ? device : `${DEVICE_PREFIX}${device}`
}

/** The device of an event, which a sign-in does not change. Older libraries send none: then it is the user. */
export function deviceOf(id: string, properties: SourceObject): string {
  const visitor = visitorOf(properties) ?? id
  return visitor.startsWith(DEVICE_PREFIX) ? visitor.slice(DEVICE_PREFIX.length) : visitor
}
