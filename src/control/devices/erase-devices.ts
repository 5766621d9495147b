import type { ProjectId } from '../../contract/ids.ts'
import type { UserAliases } from '../../store/clickhouse/user-rows.ts'
import type { DeviceOwner, Devices } from './devices.ts'

/** A user to be erased. */
export interface DeviceSubject {
  readonly projectId: ProjectId
  readonly externalId: string
  /** Empty without a profile. */
  readonly profileId: string
}

/** Dependencies of erasing devices. */
export interface EraseDevicesParts {
  readonly devices: Devices
  /** Reads the user's other ids; call it before these are erased. */
  readonly readAliases: (subject: DeviceSubject) => Promise<UserAliases>
  readonly eraseDeliveries: (of: {
    readonly projectId: ProjectId
    readonly deviceIds: readonly string[]
  }) => Promise<void>
}

/** Device ids per statement. */
const BATCH_MAX = 500

/**
 * Deletes the devices that a user registered or was identified on, and their delivery events. The devices themselves are
 * deleted last, so that a second attempt finds them.
 */
export async function eraseDevices(
  { devices, readAliases, eraseDeliveries }: EraseDevicesParts,
  subject: DeviceSubject,
): Promise<void> {
  const { projectId, externalId, profileId } = subject
  const { deviceIds, anonymousIds } = await readAliases(subject)
  const owners: readonly DeviceOwner[] = [
    { name: 'external-id', id: externalId },
    ...[profileId, ...anonymousIds]
      .filter((id) => id !== '')
      .map((id): DeviceOwner => ({ name: 'profile-id', id })),
  ]
  const owned = await devices.listOwned({ projectId, owners })
  for (const batch of batchesOf([...new Set([...deviceIds, ...owned])])) {
    await eraseDeliveries({ projectId, deviceIds: batch })
    await devices.delete({ projectId, deviceIds: batch })
  }
}

function batchesOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / BATCH_MAX)
  return Array.from({ length: count }, (_, index) => ids.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX))
}
