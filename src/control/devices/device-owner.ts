import type { ProjectId } from '../../contract/ids.ts'
import type { Sealer } from '../../kernel/sealer.ts'

/** Whose a device is, by the one name that the client gave. */
export type DeviceOwner =
  | { readonly name: 'external-id'; readonly id: string }
  | { readonly name: 'profile-id'; readonly id: string }

/** Finds the devices of somebody who is only kept sealed. */
export function ownerDigest(sealer: Sealer, projectId: ProjectId, { name, id }: DeviceOwner): string {
  return sealer.digest({ purpose: `device-owner/${projectId}/${name}`, text: id })
}
