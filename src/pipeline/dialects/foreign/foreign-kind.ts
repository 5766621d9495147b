import { encodeKindName } from '../../../contract/kind-names.ts'

/** Property that holds the original name of an event whose kind spells it differently. */
export const NAME_PROPERTY = 'event_name'

/** The kind of an event of another product. */
export interface ForeignKind {
  readonly kind: string
  /** Whether the kind only spells the name differently: the name is kept beside it. */
  readonly isRenamed: boolean
}

/** The kind of a name: the well-known one, or an encoding that no other name has. */
export function readKind(name: string, kinds: Readonly<Record<string, string>>): ForeignKind {
  const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (known !== undefined) return { kind: known, isRenamed: false }
  const kind = encodeKindName(name)
  return { kind, isRenamed: kind !== name }
}
