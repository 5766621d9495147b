import { checkDistinctId } from '../../event/event-rules.ts'
import type { ForeignChange, ForeignIdentification } from '../foreign/foreign-batch.ts'
import { readTraitNames, readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** Operations that have no equivalent: their result depends on the value before. */
const RELATIVE = ['$add', '$append', '$prepend', '$preInsert', '$postInsert', '$remove', '$clearAll']

/** What an event says about a person. */
export interface ReadPerson {
  readonly identification: ForeignIdentification | undefined
  readonly changes: readonly ForeignChange[]
}

/** Reads who sent an event: a user on a device joins the two, and user properties are traits of the user. */
export function readIdentification(record: SourceObject): ReadPerson {
  const externalId = textOf(fieldOf(record, 'user_id'))
  const device = textOf(fieldOf(record, 'device_id'))
  const sent = objectOf(fieldOf(record, 'user_properties'))
  const isEmpty = Object.keys(sent).length === 0
  if (externalId === undefined)
    return { identification: undefined, changes: isEmpty ? [] : ['trait_left_out'] }
  const isClaim = device !== undefined && device !== externalId && checkDistinctId(device) === undefined
  if (!isClaim && isEmpty) return { identification: undefined, changes: [] }
  const { changes, ...operations } = readOperations(sent)
  return {
    identification: { isImplied: isEmpty, externalId, anonymousId: isClaim ? device : '', ...operations },
    changes,
  }
}

/** Properties without an operation are set. */
function readOperations(
  sent: SourceObject,
): Pick<ForeignIdentification, 'traits' | 'traitsOnce' | 'removedTraits'> & Pick<ReadPerson, 'changes'> {
  const plain = Object.entries(sent).filter(([name]) => !name.startsWith('$'))
  const set = readTraits({ ...Object.fromEntries(plain), ...objectOf(fieldOf(sent, '$set')) })
  const once = readTraits(objectOf(fieldOf(sent, '$setOnce')))
  const removed = readTraitNames(fieldOf(sent, '$unset'))
  const isLeftOut = set.leftOut + once.leftOut + removed.leftOut > 0
  const isRelative = RELATIVE.some((name) => fieldOf(sent, name) !== undefined)
  return {
    traits: set.traits,
    traitsOnce: once.traits,
    removedTraits: removed.names,
    changes: [
      ...(isLeftOut ? (['trait_left_out'] as const) : []),
      ...(isRelative ? (['operation_not_supported'] as const) : []),
    ],
  }
}
