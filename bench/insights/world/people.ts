import { DEVICES_PER_PERSON, deviceId, isMember, memberId, personCount, type TrafficPlan } from './traffic.ts'

/**
 * Identified users: none; the members, each with their devices (6 % of the traffic counts as another user's); or
 * every user, until a million devices are merged.
 */
export type Merges = 'none' | 'members' | 'million'

const MERGES_MAX = 1_000_000

const WHO = {
  none: '0',
  members: isMember('person'),
  million: '1',
} as const satisfies Record<Merges, string>

/** Statements that fill the tables of people; what they held before has to be gone. */
export function peopleSql(plan: TrafficPlan, merges: Merges): readonly string[] {
  const project = `toUInt32(${plan.project})`
  const count = Math.min(personCount(plan) * DEVICES_PER_PERSON, MERGES_MAX)
  const devices = `
    SELECT toUInt32(intDiv(number, ${DEVICES_PER_PERSON})) AS person, ${memberId('person')} AS member,
      ${deviceId('person', `number % ${DEVICES_PER_PERSON}`)} AS device
    FROM numbers(${count}) WHERE ${WHO[merges]}`
  const claimed = `toDateTime64('2026-08-22 00:00:00.000', 3, 'UTC')`
  return [
    `INSERT INTO profiles (project, user_hash, external_id, profile_id, created, updated)
      SELECT DISTINCT ${project} AS project, sipHash64(project, member) AS user_hash, member AS external_id,
        reinterpretAsUUID(sipHash128('profile', member)) AS profile_id, ${claimed} AS created, created AS updated
      FROM (${devices})`,
    `INSERT INTO identity_claims (project, id_hash, anonymous_id, external_id, user_hash, claimed)
      SELECT ${project} AS project, sipHash64(project, device) AS id_hash, device AS anonymous_id,
        member AS external_id, sipHash64(project, member) AS user_hash, ${claimed} AS claimed
      FROM (${devices})`,
  ]
}
