import type { ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type {
  DevicesService,
  SubscribeRequest,
} from '../../contract/gen/sdk/devices/v1/devices_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { invalidField } from '../invalid-field.ts'
import type { DeviceOwner, Devices, Platform } from './devices.ts'

const PLATFORMS: readonly Platform[] = ['android', 'ios', 'web']
const STATUSES = ['active', 'inactive'] as const

/** Bounds the properties of a device. */
const PROPERTIES_BYTES_MAX = 16 * 1024

/** `sdk.devices.v1.DevicesService`: devices that receive notifications. A public key suffices. */
export function createDevicesService(devices: Devices): ServiceImpl<typeof DevicesService> {
  return {
    subscribe: async (request, context) => {
      await devices.register({
        projectId: projectIdOf(context),
        deviceId: request.deviceId,
        platform: oneOf(PLATFORMS, request.platform, 'platform'),
        token: request.token,
        owner: ownerOf(request),
        properties: printProperties(request),
      })
      return {}
    },
    updateStatus: async ({ id, status }, context) => {
      const key = { projectId: projectIdOf(context), deviceId: id }
      if (!(await devices.setStatus(key, oneOf(STATUSES, status, 'status')))) throw notFound()
      return {}
    },
    updateToken: async ({ id, token }, context) => {
      if (!(await devices.setToken({ projectId: projectIdOf(context), deviceId: id }, token)))
        throw notFound()
      return {}
    },
  }
}

function ownerOf({ profileExternalId, profileId }: SubscribeRequest): DeviceOwner | undefined {
  if (profileExternalId !== '') return { name: 'external-id', id: profileExternalId }
  return profileId === '' ? undefined : { name: 'profile-id', id: profileId }
}

function printProperties({ properties }: SubscribeRequest): string {
  const text = JSON.stringify(properties ?? {})
  if (Buffer.byteLength(text) <= PROPERTIES_BYTES_MAX) return text
  throw invalidField('properties', `must not exceed ${PROPERTIES_BYTES_MAX} bytes of JSON`)
}

function oneOf<T extends string>(values: readonly T[], text: string, field: string): T {
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw invalidField(field, `must be one of ${values.join(', ')}`)
  return value
}

function notFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'DEVICE_NOT_FOUND',
    message: 'there is no device with this id',
  })
}
