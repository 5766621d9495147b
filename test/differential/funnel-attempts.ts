import { create } from '@bufbuild/protobuf'
import { type Duration, durationMs } from '@bufbuild/protobuf/wkt'
import {
  type FunnelExclusion,
  type FunnelOptions,
  FunnelOptions_CountBy,
  FunnelOptions_Order,
  FunnelOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/funnel_options_pb.js'
import { compareBytewise } from './bytewise.ts'
import { matchesEntry } from './cohorts.ts'
import { matchesEventFilter } from './filters.ts'
import { hasSession, type ReferenceEvent } from './model.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'
import { propertyText } from './values.ts'

/** An event with the steps (from 0) that it could fill. */
interface Candidate {
  readonly event: ReferenceEvent
  readonly steps: readonly number[]
  /** Texts of the properties that are held constant; an event without them all fills no step. */
  readonly texts: string
}

/** The events that fill steps, from the first on, and the numbers of those steps, from 0. */
export interface Attempt {
  readonly events: readonly [ReferenceEvent, ...ReferenceEvent[]]
  readonly steps: readonly number[]
  /** Position of its start among the user's events. */
  readonly start: number
}

/** The attempts of one user (or session) that are not void: never none. */
export interface Run {
  readonly attempts: readonly Attempt[]
  /** The best of them. */
  readonly counted: Attempt
}

/** The options of a funnel; all defaults when it has none. */
export function optionsOf({ spec }: Query): FunnelOptions {
  return spec.funnel ?? create(FunnelOptionsSchema)
}

/** The users, or sessions, with an attempt that is not void. */
export function listRuns(query: Query): readonly Run[] {
  const { world, spec } = query
  const { countBy } = optionsOf(query)
  const ofPersons = eventsOfPersons(eventsInQuery(query), spec)
  const events = countBy === FunnelOptions_CountBy.SESSIONS ? ofPersons.filter(hasSession) : ofPersons
  const owners = Map.groupBy(events, (event) =>
    countBy === FunnelOptions_CountBy.SESSIONS
      ? event.sessionId
      : canonicalUser(world.people, event.distinctId),
  )
  return [...owners.values()].flatMap((list) => {
    const attempts = listAttempts(list, query).filter((attempt) => !isVoid(attempt, list, query))
    const counted = bestOf(attempts)
    return counted ? [{ attempts, counted }] : []
  })
}

/** The furthest step, then the earliest start, the most steps, and the lower optional ones. */
export function bestOf(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.toSorted(
    (left, right) =>
      Math.max(...right.steps) - Math.max(...left.steps) ||
      left.start - right.start ||
      right.steps.length - left.steps.length ||
      compareSteps(left.steps, right.steps),
  )[0]
}

function compareSteps(...[left, right]: readonly [readonly number[], readonly number[]]): number {
  const position = left.findIndex((step, index) => step !== right[index])
  return position < 0 ? 0 : (left[position] ?? 0) - (right[position] ?? 0)
}

function listAttempts(events: readonly ReferenceEvent[], query: Query): readonly Attempt[] {
  const { order } = optionsOf(query)
  const all = events.map((event) => toCandidate(event, query)).sort(compareCandidates)
  const candidates = order === FunnelOptions_Order.STRICT ? all : all.filter(({ steps }) => steps.length > 0)
  return candidates.flatMap((first, start) => {
    if (order === FunnelOptions_Order.ANY) return [takeAny(candidates, start, query)]
    if (!first.steps.includes(0)) return []
    return choicesOf(query).flatMap((chosen) => follow(candidates, { start, chosen }, query))
  })
}

function toCandidate(event: ReferenceEvent, query: Query): Candidate {
  const texts = optionsOf(query).holdConstant.map((name) => propertyText(event, name))
  const subject = subjectOf(query, event)
  const steps = query.spec.events.flatMap((step, index) =>
    matchesEntry(subject, step) && !texts.includes('') ? [index] : [],
  )
  return { event, steps, texts: JSON.stringify(texts) }
}

/** By time, then by lowest step, events of none last, then by id. */
function compareCandidates(...[left, right]: readonly [Candidate, Candidate]): number {
  const [lowest, other] = [Math.min(...left.steps), Math.min(...right.steps)]
  return (
    left.event.occurMs - right.event.occurMs ||
    (lowest === other ? 0 : lowest - other) ||
    compareBytewise(left.event.eventId, right.event.eventId)
  )
}

/** Every choice of the steps to fill: all of them but any of the optional ones. */
function choicesOf(query: Query): readonly (readonly number[])[] {
  const optional = optionsOf(query).optionalSteps.map((step) => step - 1)
  return query.spec.events.reduce<readonly (readonly number[])[]>(
    (choices, _, step) => [
      ...choices.map((chosen) => [...chosen, step]),
      ...(optional.includes(step) ? choices : []),
    ],
    [[]],
  )
}

/**
 * Each chosen step takes its nearest later event; one that is too late ends the attempt. An optional step that was chosen and
 * is not found makes no attempt: the choice without it does.
 */
function follow(
  candidates: readonly Candidate[],
  { start, chosen }: { readonly start: number; readonly chosen: readonly number[] },
  query: Query,
): readonly Attempt[] {
  const { order, optionalSteps, stepWindows } = optionsOf(query)
  const first = candidates[start]
  if (!first) return []
  const events: [ReferenceEvent, ...ReferenceEvent[]] = [first.event]
  let position = start
  for (const step of chosen.slice(1)) {
    const fills = ({ steps, texts }: Candidate): boolean => steps.includes(step) && texts === first.texts
    const next = candidates[position + 1]
    const found =
      order === FunnelOptions_Order.STRICT
        ? next && fills(next) && position + 1
        : candidates.findIndex((candidate, index) => index > position && fills(candidate))
    const event = candidates[found === undefined || found === false ? -1 : found]?.event
    const isLate =
      event === undefined ||
      event.occurMs > windowEnd(first.event, query) ||
      event.occurMs - (events.at(-1)?.occurMs ?? 0) > stepWindowMs(stepWindows[step])
    if (isLate)
      return optionalSteps.includes(step + 1)
        ? []
        : [{ events, steps: chosen.slice(0, events.length), start }]
    events.push(event)
    position = Number(found)
  }
  return [{ events, steps: chosen, start }]
}

/** Each event from the start on takes the lowest step that it matches and that is not taken. */
function takeAny(candidates: readonly Candidate[], start: number, query: Query): Attempt {
  const first = candidates[start]
  if (!first) throw new RangeError('an attempt without a start')
  const taken = new Set([Math.min(...first.steps)])
  const events: [ReferenceEvent, ...ReferenceEvent[]] = [first.event]
  for (const { event, steps, texts } of candidates.slice(start + 1)) {
    if (texts !== first.texts || event.occurMs > windowEnd(first.event, query)) continue
    const open = steps.filter((step) => !taken.has(step))
    if (open.length === 0) continue
    taken.add(Math.min(...open))
    events.push(event)
  }
  return { events, steps: events.map((_, index) => index), start }
}

/** The last instant of an attempt. */
function windowEnd(first: ReferenceEvent, { spec, range }: Query): number {
  return spec.conversionWindow === undefined ? range.toMs : first.occurMs + durationMs(spec.conversionWindow)
}

function stepWindowMs(window: Duration | undefined): number {
  const ms = window === undefined ? 0 : durationMs(window)
  return ms === 0 ? Number.POSITIVE_INFINITY : ms
}

function isVoid(attempt: Attempt, events: readonly ReferenceEvent[], query: Query): boolean {
  return optionsOf(query).exclusions.some((exclusion) =>
    events.some(
      (event) =>
        matchesEventFilter(subjectOf(query, event), exclusion.event) &&
        !attempt.events.includes(event) &&
        isExcluded(event, { attempt, exclusion, query }),
    ),
  )
}

/** Whether an event lies where the exclusion forbids it. */
function isExcluded(
  { occurMs }: ReferenceEvent,
  input: { readonly attempt: Attempt; readonly exclusion: FunnelExclusion; readonly query: Query },
): boolean {
  const { attempt, exclusion, query } = input
  const eventOf = (step: number): ReferenceEvent | undefined =>
    attempt.events[attempt.steps.indexOf(step - 1)]
  const [after, before] = [eventOf(exclusion.afterStep), eventOf(exclusion.beforeStep)]
  if (!after || occurMs <= after.occurMs) return false
  return before ? occurMs < before.occurMs : occurMs <= windowEnd(attempt.events[0], query)
}
