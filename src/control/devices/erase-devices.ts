import type { ProjectId } from '../../contract/ids.ts'
import type { UserAliases } from '../../store/clickhouse/user-rows.ts'
import type { DeviceOwner, Devices } from './devices.ts'

/** Somebody who is to be forgotten. */
export interface DeviceSubject {
  readonly projectId: ProjectId
  readonly externalId: string
  /** Empty when they have none. */
  readonly profileId: string
}

/** What devices of people are erased with. */
export interface EraseDevicesParts {
  readonly devices: Devices
  /** What else the person is called; it must be asked before that is erased. */
  readonly readNames: (subject: DeviceSubject) => Promise<UserAliases>
  readonly eraseDeliveries: (of: {
    readonly projectId: ProjectId
    readonly deviceIds: readonly string[]
  }) => Promise<void>
}

/** Ids that one statement names. */
const BATCH_MAX = 500

/**
 * Forgets the devices that a person registered or was identified on, and what became of notifications to them. The devices
 * themselves go last: as long as they are there, a second attempt finds them.
 */
export async function eraseDevices(
  { devices, readNames, eraseDeliveries }: EraseDevicesParts,
  subject: DeviceSubject,
): Promise<void> {
  const { projectId, externalId, profileId } = subject
  const { deviceIds, anonymousIds } = await readNames(subject)
  const owners: readonly DeviceOwner[] = [
    { name: 'external-id', id: externalId },
    ...[profileId, ...anonymousIds]
      .filter((id) => id !== '')
      .map((id): DeviceOwner => ({ name: 'profile-id', id })),
  ]
  const owned = await devices.listOwned({ projectId, owners })
  for (const batch of batchesOf([...new Set([...deviceIds, ...owned])])) {
    await eraseDeliveries({ projectId, deviceIds: batch })
    await devices.forget({ projectId, deviceIds: batch })
  }
}

function batchesOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / BATCH_MAX)
  return Array.from({ length: count }, (_, index) => ids.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX))
}
