import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type EventFilterSchema,
  FilterOperator,
  LogicalOperator,
  type PropertyFilterSchema,
} from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import type { FilterGroupSchema } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import type { GeneratedWorld } from './generate-world.ts'
import { readProperty, readTrait } from './values.ts'
import { EVENT_NAMES, KINDS, TRAIT_NAMES } from './vocabulary.ts'

type Filter = MessageInitShape<typeof PropertyFilterSchema>
type Operator = Exclude<FilterOperator, FilterOperator.UNSPECIFIED>
type Operands = 'none' | 'text' | 'texts' | 'number' | 'bounds'

const OPERANDS = {
  [FilterOperator.EQUALS]: 'text',
  [FilterOperator.NOT_EQUALS]: 'text',
  [FilterOperator.CONTAINS]: 'text',
  [FilterOperator.NOT_CONTAINS]: 'text',
  [FilterOperator.IS_SET]: 'none',
  [FilterOperator.IS_NOT_SET]: 'none',
  [FilterOperator.LTE]: 'number',
  [FilterOperator.GTE]: 'number',
  [FilterOperator.LT]: 'number',
  [FilterOperator.GT]: 'number',
  [FilterOperator.IN]: 'texts',
  [FilterOperator.NOT_IN]: 'texts',
  [FilterOperator.BETWEEN]: 'bounds',
  [FilterOperator.NOT_BETWEEN]: 'bounds',
} satisfies Record<Operator, Operands>

const OPERATORS = Object.keys(OPERANDS).map((key): Operator => Number(key))
const NUMBERS = [
  '-4',
  '-1.75',
  '0',
  '-0',
  '1',
  '1.0',
  '2.5',
  '3',
  '007',
  '20',
  '9007199254740993',
  '1000000000000000000000',
]
const STRANGE_TEXTS = [
  '1',
  '0',
  '-0',
  'true',
  "'",
  '\\',
  '%',
  '{x:String}',
  '\u0308',
  'nan',
  '1e+21',
  '$others',
]

/** A filter on an event property or a trait, with operands that have a chance to match. */
export function generateFilter(rng: Prng, generated: GeneratedWorld): Filter {
  const { property, source } = generateProperty(rng)
  const operator = rng.pick(OPERATORS)
  const pickText = (): string => generateText(rng, listTexts(generated, { property, source }))
  switch (OPERANDS[operator]) {
    case 'none':
      return { property, operator, source }
    case 'text':
      return { property, operator, source, value: cutFor(rng, { operator, text: pickText() }) }
    case 'texts':
      return { property, operator, source, values: Array.from({ length: 1 + rng.below(3) }, pickText) }
    case 'number':
      return { property, operator, source, value: rng.pick(NUMBERS) }
    case 'bounds': {
      const values = [rng.pick(NUMBERS), rng.pick(NUMBERS)].sort((low, high) => Number(low) - Number(high))
      return { property, operator, source, values }
    }
    default:
      return OPERANDS[operator] satisfies never
  }
}

/** An event filter; an empty kind means every kind. */
export function generateEventFilter(
  rng: Prng,
  generated: GeneratedWorld,
): MessageInitShape<typeof EventFilterSchema> {
  const filters = rng.chance(0.3) ? [generateFilter(rng, generated)] : []
  if (rng.chance(0.15)) return { kind: '', filters }
  const mergedKinds = rng.chance(0.15) ? [rng.pick(KINDS)] : []
  return { kind: rng.pick(KINDS), filters, mergedKinds }
}

/** Groups of one to three filters each; mostly none. */
export function generateGroups(
  rng: Prng,
  generated: GeneratedWorld,
): MessageInitShape<typeof FilterGroupSchema>[] {
  if (rng.chance(0.6)) return []
  return Array.from({ length: 1 + rng.below(3) }, () => ({
    operator: generateLogic(rng),
    filters: Array.from({ length: 1 + rng.below(3) }, () => generateFilter(rng, generated)),
  }))
}

/** Any logical operator, the unspecified one included. */
export function generateLogic(rng: Prng): LogicalOperator {
  return rng.pick([LogicalOperator.UNSPECIFIED, LogicalOperator.AND, LogicalOperator.OR])
}

/** A property with a source: a trait, or a property of the event or of a first event. */
export function generateProperty(rng: Prng): { readonly property: string; readonly source: PropertySource } {
  if (rng.chance(0.2)) return { property: rng.pick(TRAIT_NAMES), source: PropertySource.PROFILE }
  const property = rng.pick(EVENT_NAMES)
  if (rng.chance(0.4)) {
    return { property, source: rng.pick([PropertySource.SESSION_ENTRY, PropertySource.FIRST_TOUCH]) }
  }
  const named = property.startsWith('$') ? PropertySource.AUTO : PropertySource.CUSTOM
  return { property, source: rng.pick([PropertySource.UNSPECIFIED, named]) }
}

function listTexts(
  { world }: GeneratedWorld,
  { property, source }: { readonly property: string; readonly source: PropertySource },
): readonly string[] {
  const readings =
    source === PropertySource.PROFILE
      ? world.people.profiles.map((profile) => readTrait(profile, property))
      : world.events.map((event) => readProperty(event, property))
  return readings.flatMap((reading) => (reading === undefined || reading.text === '' ? [] : [reading.text]))
}

function generateText(rng: Prng, texts: readonly string[]): string {
  return texts.length === 0 || rng.chance(0.2) ? rng.pick(STRANGE_TEXTS) : rng.pick(texts)
}

/** A search looks for a part of a text, in whole code points. */
function cutFor(
  rng: Prng,
  { operator, text }: { readonly operator: Operator; readonly text: string },
): string {
  if (operator !== FilterOperator.CONTAINS && operator !== FilterOperator.NOT_CONTAINS) return text
  const points = [...text]
  const start = rng.below(points.length)
  return points.slice(start, start + 1 + rng.below(3)).join('')
}
