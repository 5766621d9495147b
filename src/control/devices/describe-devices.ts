import type { ProjectId } from '../../contract/ids.ts'
import type { Delivery } from '../../store/clickhouse/deliveries.ts'
import type { DeviceFacts, Devices } from './devices.ts'
import { type DeviceSubject, type FindDevicesParts, findDevices } from './find-devices.ts'

/** Dependencies of describing devices. */
export interface DescribeDevicesParts extends FindDevicesParts {
  readonly devices: Devices
  readonly listDeliveries: (of: {
    readonly projectId: ProjectId
    readonly deviceIds: readonly string[]
  }) => Promise<readonly Delivery[]>
}

/** Devices that are described at most: an id that many share by mistake may have any number. */
const DEVICES_MAX = 1000

/** The devices of a user, and the events of notifications on them. */
export async function describeDevices(
  { devices, readAliases, listDeliveries }: DescribeDevicesParts,
  subject: DeviceSubject,
): Promise<{ readonly devices: readonly DeviceFacts[]; readonly deliveries: readonly Delivery[] }> {
  const { projectId } = subject
  const found = await findDevices({ devices, readAliases }, subject)
  const deviceIds = found.toSorted().slice(0, DEVICES_MAX)
  return {
    devices: await devices.describe({ projectId, deviceIds }),
    deliveries: await listDeliveries({ projectId, deviceIds }),
  }
}
