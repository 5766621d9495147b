import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type ApiKeySchema,
  ApiKeyKind as WireKeyKind,
} from '../../contract/gen/dashboard/projects/v1/project_pb.js'
import type { ApiKeyKind, ApiKeyRow } from '../../store/catalog/api-keys.ts'
import { invalidField } from '../invalid-field.ts'

const TO_WIRE = {
  public: WireKeyKind.PUBLIC,
  private: WireKeyKind.PRIVATE,
} as const satisfies Record<ApiKeyKind, WireKeyKind>

/** A key as lists show it, without the key itself: only its digest is stored. */
export function toApiKey(row: ApiKeyRow): MessageInitShape<typeof ApiKeySchema> {
  const { id, kind, displayName, masked, createdMs, expiresMs, allowedAddresses } = row
  return {
    id,
    kind: TO_WIRE[kind],
    displayName,
    masked,
    createTime: timestampFromMs(createdMs),
    ...(expiresMs === undefined ? {} : { expireTime: timestampFromMs(expiresMs) }),
    allowedAddresses: [...allowedAddresses],
  }
}

/** Parses a kind of key. Throws `invalid_argument`. */
export function parseKind(kind: WireKeyKind): ApiKeyKind {
  if (kind === WireKeyKind.PUBLIC) return 'public'
  if (kind === WireKeyKind.PRIVATE) return 'private'
  throw invalidField('kind', 'must be a kind of key')
}
