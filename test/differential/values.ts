import { descend, type JsonNode, parseJson, writeJson } from './json-text.ts'
import type { Profile, ReferenceEvent, TypedValue } from './model.ts'

/** A value that is present: its text, and its number when it has one. */
export interface Reading {
  readonly text: string
  readonly number: number | undefined
}

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/

/** The number of a text that is a finite plain decimal. */
export function parsePlainDecimal(text: string): number | undefined {
  if (!PLAIN_DECIMAL.test(text)) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** Text and number of a property value. */
export function readTyped(typed: TypedValue): Reading {
  switch (typed.type) {
    case 'string':
      return { text: typed.value, number: parsePlainDecimal(typed.value) }
    case 'int':
      return { text: typed.value.toString(), number: Number(typed.value) }
    case 'double':
      return { text: String(typed.value), number: typed.value }
    case 'bool':
      return { text: String(typed.value), number: undefined }
    case 'timestamp':
      return { text: new Date(typed.value).toISOString(), number: undefined }
    default:
      return typed satisfies never
  }
}

/** Text and number of a JSON value; a null is not set. */
export function readJson(node: JsonNode): Reading | undefined {
  if (node === null) return undefined
  if (typeof node === 'string') return { text: node, number: parsePlainDecimal(node) }
  if (typeof node === 'bigint' || typeof node === 'number')
    return { text: String(node), number: Number(node) }
  return { text: writeJson(node), number: undefined }
}

/** An event's property by flat or dotted name; undefined when it is missing. */
export function readProperty(event: ReferenceEvent, name: string): Reading | undefined {
  const flat = event.properties.get(name)
  if (flat !== undefined) return readTyped(flat)
  return readNested(name, (prefix) => {
    const holder = event.properties.get(prefix)
    return holder?.type === 'string' ? parseJson(holder.value) : undefined
  })
}

/** A property's text; a missing one reads as the empty text. */
export function propertyText(event: ReferenceEvent, name: string): string {
  return readProperty(event, name)?.text ?? ''
}

/** A trait by flat or dotted name; undefined when it is missing or null. */
export function readTrait({ traits }: Profile, name: string): Reading | undefined {
  const flat = traits.get(name)
  if (flat !== undefined) return readJson(flat)
  return readNested(name, (prefix) => {
    const holder = traits.get(prefix)
    return typeof holder === 'string' ? parseJson(holder) : holder
  })
}

/** Looks below the longest prefix first. A null that is found ends the search: the key is there, and not set. */
function readNested(name: string, readPrefix: (prefix: string) => JsonNode | undefined): Reading | undefined {
  const keys = name.split('.')
  for (let length = keys.length - 1; length > 0; length -= 1) {
    const found = descend(readPrefix(keys.slice(0, length).join('.')), keys.slice(length))
    if (found !== undefined) return readJson(found)
  }
  return undefined
}
