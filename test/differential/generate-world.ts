import type { JsonValue } from '@bufbuild/protobuf'
import { Prng } from '../../src/kernel/prng.ts'
import { generateCohorts } from './generate-cohorts.ts'
import {
  NO_SESSION,
  type Profile,
  type ReferenceEvent,
  type ReferenceWorld,
  type TypedValue,
} from './model.ts'
import { listInstants, SCENES, type Scene } from './scenes.ts'
import { EVENT_VALUES, KINDS, PAUSES_MS, TRAIT_VALUES } from './vocabulary.ts'

/** A world, with the input to send it and to query it. */
export interface GeneratedWorld {
  readonly seed: number
  readonly world: ReferenceWorld
  /** Events of the world to be sent once more; they count once. */
  readonly copies: readonly ReferenceEvent[]
  readonly scene: Scene
  /** Instants at which a range may well begin or end. */
  readonly instants: readonly number[]
}

/** Facts of the service for which a world is generated. */
export interface WorldOptions {
  /** Profile ids are the service's choice; by default they are random. */
  readonly profileIdOf?: (externalId: string) => string
  /** Where and when the events are; a random one of the {@link SCENES} by default. */
  readonly scene?: Scene
}

/** Someone with ids and sessions. */
interface Actor {
  readonly distinctIds: readonly string[]
  readonly sessionIds: readonly string[]
  readonly cookieless: boolean
}

const STRANGE_IDS = ['\u00fcn\u00ef-\u{1f600}', "o'brien", '{x:String}', 'NULL', 'with space', 'ANON-1', '\\']
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const DAY_MS = 86_400_000

/** A world of 60 to 400 events of 5 to 25 users; the same for the same seed and options. */
export function generateWorld(seed: number, options: WorldOptions = {}): GeneratedWorld {
  const rng = new Prng(seed)
  const drawn = rng.pick(SCENES)
  const { scene = drawn } = options
  const instants = listInstants(scene)
  const profiles = Array.from({ length: 2 + rng.below(8) }, (_, index) =>
    generateProfile(rng, { index, options }),
  )
  const actors = [
    ...profiles.map((profile) => generateIdentified(rng, profile)),
    ...generateUnidentified(rng),
    ...Array.from({ length: 1 + rng.below(5) }, () => generateCookieless(rng)),
  ]
  const eventCount = 60 + rng.below(341)
  const events: ReferenceEvent[] = []
  while (events.length < eventCount) {
    events.push(...generateWalk(rng, { actors, scene, instants }))
  }
  const sent = leaveSessions(new Prng(seed + 31), events)
  const all = [...sent, ...sent.filter(() => rng.chance(0.02)).map((event) => reuseId(rng, event))]
  const world = { events: all, people: { profiles }, timeZone: rng.chance(0.2) ? '' : scene.timeZone }
  const generated = { seed, world, copies: all.filter(() => rng.chance(0.05)), scene, instants }
  const nowMs = rng.pick([...instants, ...all.map(({ occurMs }) => occurMs)]) + rng.below(3)
  return { ...generated, world: { ...world, nowMs, cohorts: generateCohorts(rng, generated) } }
}

function generateProfile(
  rng: Prng,
  { index, options }: { readonly index: number; readonly options: WorldOptions },
): Profile {
  const externalId = rng.chance(0.2) ? `${rng.pick(STRANGE_IDS)} ${index}` : `user-${index}`
  const traits = Object.entries(TRAIT_VALUES).flatMap(([name, values]): [string, JsonValue][] =>
    rng.chance(name.includes('.') ? 0.1 : 0.6) ? [[name, rng.pick(values)]] : [],
  )
  return {
    profileId: options.profileIdOf?.(externalId) ?? rng.uuid(),
    externalId,
    anonymousIds: Array.from({ length: rng.below(3) }, (_, each) => `anon-${index}-${each}`),
    traits: new Map(traits),
  }
}

function generateIdentified(rng: Prng, { profileId, externalId, anonymousIds }: Profile): Actor {
  const ids = [externalId, externalId, ...anonymousIds, ...(rng.chance(0.4) ? [profileId] : [])]
  return { distinctIds: ids, sessionIds: generateSessions(rng), cookieless: false }
}

function generateUnidentified(rng: Prng): readonly Actor[] {
  const strange = STRANGE_IDS.filter(() => rng.chance(0.3))
  const plain = Array.from({ length: 2 + rng.below(8) }, (_, index) => `anon-free-${index}`)
  return [...strange, ...plain].map((id) => ({
    distinctIds: [id],
    sessionIds: generateSessions(rng),
    cookieless: false,
  }))
}

function generateCookieless(rng: Prng): Actor {
  const digest = Array.from({ length: 22 }, () => rng.pick([...BASE64URL])).join('')
  return { distinctIds: [`cookieless-${digest}`], sessionIds: generateSessions(rng), cookieless: true }
}

function generateSessions(rng: Prng): readonly string[] {
  return Array.from({ length: 1 + rng.below(3) }, () => rng.uuid())
}

interface Stage {
  readonly actors: readonly Actor[]
  readonly scene: Scene
  readonly instants: readonly number[]
}

/** A few events of one actor, one after the other; now and then a session is someone else's. */
function generateWalk(rng: Prng, stage: Stage): readonly ReferenceEvent[] {
  const actor = rng.pick(stage.actors)
  const sessionId = rng.pick(actor.sessionIds)
  let occurMs = generateStart(rng, stage)
  return Array.from({ length: 1 + rng.below(9) }, () => {
    occurMs += rng.pick(PAUSES_MS)
    const isBorrowed = !actor.cookieless && rng.chance(0.08)
    return {
      eventId: rng.uuid(),
      kind: rng.pick(KINDS),
      occurMs,
      distinctId: rng.pick(actor.distinctIds),
      sessionId: isBorrowed ? rng.pick(rng.pick(stage.actors).sessionIds) : sessionId,
      cookieless: actor.cookieless,
      properties: generateProperties(rng),
    }
  })
}

/** Servers send some of the events, and all of some ids, without a session. */
function leaveSessions(rng: Prng, events: readonly ReferenceEvent[]): readonly ReferenceEvent[] {
  const ids = [...new Set(events.map(({ distinctId }) => distinctId))]
  const ofServers = new Set(ids.filter(() => rng.chance(0.1)))
  return events.map((event) => {
    const isOfServer = !event.cookieless && (ofServers.has(event.distinctId) || rng.chance(0.06))
    return isOfServer ? { ...event, sessionId: NO_SESSION } : event
  })
}

function generateStart(rng: Prng, { scene, instants }: Stage): number {
  if (rng.chance(0.5)) return rng.pick(instants)
  return scene.anchorMs + rng.below(3 * DAY_MS) - rng.below(3 * DAY_MS)
}

function generateProperties(rng: Prng): ReadonlyMap<string, TypedValue> {
  const present = Object.entries(EVENT_VALUES).flatMap(([name, values]): [string, TypedValue][] =>
    rng.chance(name.startsWith('doc.') ? 0.15 : 0.6) ? [[name, rng.pick(values)]] : [],
  )
  return new Map(present)
}

/** A client's mistake: another event with an id that is taken. */
function reuseId(rng: Prng, event: ReferenceEvent): ReferenceEvent {
  return { ...event, occurMs: event.occurMs + 1 + rng.below(5000), properties: generateProperties(rng) }
}
