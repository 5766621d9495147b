import type { ProjectId } from '../../contract/ids.ts'
import type { Devices } from './devices.ts'
import { type DeviceSubject, type FindDevicesParts, findDevices } from './find-devices.ts'

/** Dependencies of erasing devices; call it before the user's other ids are erased. */
export interface EraseDevicesParts extends FindDevicesParts {
  readonly devices: Devices
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
  const { projectId } = subject
  for (const batch of batchesOf(await findDevices({ devices, readAliases }, subject))) {
    await eraseDeliveries({ projectId, deviceIds: batch })
    await devices.delete({ projectId, deviceIds: batch })
  }
}

function batchesOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / BATCH_MAX)
  return Array.from({ length: count }, (_, index) => ids.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX))
}
