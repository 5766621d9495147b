import { assert } from '../../kernel/assert.ts'
import type { Codec, ParamValue } from './codec.ts'

/** A value that enters a statement as a typed parameter; it never becomes part of the text. */
export interface Param {
  readonly type: string
  readonly value: ParamValue
}

/** A piece of a statement. Only {@link sql} makes one, from text that is written in the source. */
export class Sql {
  readonly #texts: readonly string[]
  readonly #slots: readonly (Sql | Param)[]

  private constructor(texts: readonly string[], slots: readonly (Sql | Param)[]) {
    this.#texts = texts
    this.#slots = slots
  }

  /** @internal Use {@link sql}. */
  static of(texts: readonly string[], slots: readonly (Sql | Param)[]): Sql {
    return new Sql(texts, slots)
  }

  /** Prints into `rendering`, naming placeholders by the order in which they are met. */
  print(rendering: Rendering): void {
    this.#texts.forEach((text, index) => {
      rendering.text += text
      const slot = this.#slots[index]
      if (slot instanceof Sql) slot.print(rendering)
      else if (slot !== undefined) printParam(slot, rendering)
    })
  }
}

interface Rendering {
  text: string
  readonly params: Record<string, ParamValue>
  /** Placeholders of the parameters that were printed: one that stands in several slots is sent once. */
  readonly names: Map<Param, string>
}

/** A statement ready to be sent: its text depends on the shape of the query and never contains its values. */
export interface Statement {
  readonly text: string
  /** Values by placeholder. */
  readonly params: Readonly<Record<string, ParamValue>>
}

/** Builds a piece of SQL; slots take pieces and parameters only. */
export function sql(texts: TemplateStringsArray, ...slots: readonly (Sql | Param)[]): Sql {
  return Sql.of(texts, slots)
}

/** A parameter of the codec's type. */
export function param<T>(codec: Codec<T>, value: T): Param {
  return { type: codec.type, value: codec.encode(value) }
}

/** Joins pieces with a separator; no pieces make an empty piece. */
export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const slots = pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]))
  return Sql.of(new Array(slots.length + 1).fill(''), slots)
}

/** All of the conditions; none make `1`. */
export function allOf(conditions: readonly Sql[]): Sql {
  return combine(conditions, sql` AND `, sql`1`)
}

/** At least one of the conditions; none make `0`. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return combine(conditions, sql` OR `, sql`0`)
}

/** Names that are numbered. */
type NumberedName =
  | 'key'
  | 'state'
  | 'total'
  | 'value'
  | 'events'
  | 'present'
  | 'step'
  | 'series'
  | 'visit'
  | 'upto'
  | 'before'
  | 'next'
  | 'chain'
  | 'joined'
  | 'trait_user'
  | 'traits'

/** A numbered alias: `numbered('key', 2)` is `key2`. */
export function numbered(name: NumberedName, index: number): Sql {
  assert(Number.isSafeInteger(index) && index >= 0, 'a name is numbered from 0')
  return Sql.of([`${name}${index}`], [])
}

function combine(conditions: readonly Sql[], operator: Sql, none: Sql): Sql {
  const [first] = conditions
  if (!first) return none
  return conditions.length === 1 ? first : sql`(${join(conditions, operator)})`
}

/** Prints a whole statement. */
export function render(piece: Sql): Statement {
  const rendering: Rendering = { text: '', params: {}, names: new Map() }
  piece.print(rendering)
  return { text: rendering.text, params: rendering.params }
}

function printParam(slot: Param, rendering: Rendering): void {
  const name = rendering.names.get(slot) ?? `p${rendering.names.size}`
  rendering.names.set(slot, name)
  rendering.params[name] = slot.value
  rendering.text += `{${name}:${slot.type}}`
}
