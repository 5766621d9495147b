import type { ProjectId } from '../../contract/ids.ts'
import type { UserAliases } from '../../store/clickhouse/user-rows.ts'
import type { DeviceOwner, Devices } from './devices.ts'

/** A user whose devices are looked for. */
export interface DeviceSubject {
  readonly projectId: ProjectId
  /** Empty for a user who was never identified. */
  readonly externalId: string
  /** Empty without a profile; the distinct id of a user who was never identified. */
  readonly profileId: string
}

/** Dependencies of finding devices. */
export interface FindDevicesParts {
  readonly devices: Pick<Devices, 'listOwned'>
  /** Reads the user's other ids. */
  readonly readAliases: (subject: DeviceSubject) => Promise<UserAliases>
}

const NO_ALIASES: UserAliases = { deviceIds: [], anonymousIds: [] }

/** Ids of the devices that a user registered or was identified on last. */
export async function findDevices(
  { devices, readAliases }: FindDevicesParts,
  subject: DeviceSubject,
): Promise<readonly string[]> {
  const { projectId, externalId, profileId } = subject
  const isIdentified = externalId !== ''
  const { deviceIds, anonymousIds } = isIdentified ? await readAliases(subject) : NO_ALIASES
  const owners: readonly DeviceOwner[] = [
    ...(isIdentified ? [{ name: 'external-id', id: externalId } as const] : []),
    ...[profileId, ...anonymousIds]
      .filter((id) => id !== '')
      .map((id): DeviceOwner => ({ name: 'profile-id', id })),
  ]
  const owned = await devices.listOwned({ projectId, owners })
  return [...new Set([...deviceIds, ...owned])]
}
