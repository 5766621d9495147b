import {
  type NameDefinition,
  NameState,
  NameType,
} from '../../contract/gen/millrace/dictionary/v1/dictionary_pb.js'
import type { NameDefinitionTable } from '../../store/catalog/schema/dictionary-tables.ts'

/** The part of a dictionary that a name belongs to. */
export type NameKind = NameDefinitionTable['type']

/** What people know about a name. */
export interface Definition {
  readonly displayName: string
  readonly description: string
  readonly owner: string
  readonly tags: readonly string[]
  readonly state: State
}

type State = NameDefinitionTable['state']

/** The definition of a name that has none stored. */
export const NO_DEFINITION: Definition = {
  displayName: '',
  description: '',
  owner: '',
  tags: [],
  state: 'unreviewed',
}

const STATES = {
  verified: NameState.VERIFIED,
  unreviewed: NameState.UNREVIEWED,
  hidden: NameState.HIDDEN,
  deprecated: NameState.DEPRECATED,
  blocked: NameState.BLOCKED,
} as const satisfies Record<State, NameState>

const TYPES = {
  event: NameType.EVENT,
  property: NameType.PROPERTY,
} as const satisfies Record<NameKind, NameType>

/** The state of a message; `undefined` for an unknown one. */
export function parseState(sent: NameState): State | undefined {
  return sent === NameState.UNSPECIFIED ? 'unreviewed' : keyOf(STATES, sent)
}

/** The type of a message; `undefined` for an unknown one. */
export function parseType(sent: NameType): NameKind | undefined {
  return keyOf(TYPES, sent)
}

/** The state as a message has it. */
export function stateMessage(state: State): NameState {
  return STATES[state]
}

/** The type as a message has it. */
export function typeMessage(type: NameKind): NameType {
  return TYPES[type]
}

/** The definition of a message, or the empty one; tags are in the order of the first appearance. */
export function parseDefinition(sent: NameDefinition | undefined): Definition {
  if (!sent) return NO_DEFINITION
  const { displayName, description, owner, tags, state } = sent
  const trimmed = tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
  return {
    displayName: displayName.trim(),
    description: description.trim(),
    owner: owner.trim(),
    tags: [...new Set(trimmed)],
    state: parseState(state) ?? 'unreviewed',
  }
}

/** Whether two definitions have the same content. */
export function isSameDefinition(a: Definition, b: Definition): boolean {
  return (
    a.displayName === b.displayName &&
    a.description === b.description &&
    a.owner === b.owner &&
    a.state === b.state &&
    a.tags.length === b.tags.length &&
    a.tags.every((tag, index) => tag === b.tags[index])
  )
}

function keyOf<Key extends string>(table: Readonly<Record<Key, number>>, value: number): Key | undefined {
  return (Object.keys(table) as Key[]).find((key) => table[key] === value)
}
