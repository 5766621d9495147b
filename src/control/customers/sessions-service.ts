import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerOf } from '../../access/caller.ts'
import {
  type Session,
  SessionSchema,
  type SessionsService,
  SignInMethod,
} from '../../contract/gen/millrace/account/v1/sessions_service_pb.js'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import {
  type AccountSession,
  endOtherSessions,
  endSessionOf,
  listSessions,
} from '../auth/account-sessions.ts'

/** What sessions are read with. */
export interface SessionsPorts {
  readonly catalog: Catalog
  readonly clock: Clock
}

const METHODS = {
  password: SignInMethod.PASSWORD,
  link: SignInMethod.LINK,
  google: SignInMethod.GOOGLE,
  '': SignInMethod.UNSPECIFIED,
} as const satisfies Record<AccountSession['method'], SignInMethod>

/** `millrace.account.v1.SessionsService`: the sessions of the caller's own account. */
export function createSessionsService(ports: SessionsPorts): ServiceImpl<typeof SessionsService> {
  return {
    list: async (_, context) => {
      const { customerId, sessionId } = customerOf(context)
      const found = await listSessions(ports, customerId)
      return { sessions: found.map((session) => toMessage(session, sessionId)) }
    },
    end: async ({ id }, context) => {
      const { customerId } = customerOf(context)
      await endSessionOf(ports.catalog, { customerId, sessionId: id })
      return {}
    },
    endOthers: async (_, context) => {
      await endOtherSessions(ports.catalog, customerOf(context))
      return {}
    },
  }
}

function toMessage({ id, method, createdMs, lastUsedMs }: AccountSession, currentId: string): Session {
  return create(SessionSchema, {
    id,
    signInMethod: METHODS[method],
    createTime: timestampFromMs(createdMs),
    lastUsedTime: timestampFromMs(lastUsedMs),
    isCurrent: id === currentId,
  })
}
