import { expect, test } from 'vitest'
import type { Caller } from '../../access/caller.ts'
import { type AccessPorts, admitCall } from './access-gate.ts'

/** Ports that know every customer, and note the projects that are looked up. */
function portsNoting(lookedUp: number[]): AccessPorts {
  const ports = {
    tokens: { read: async () => ({ customerId: 'alice', sessionId: 'session' }) },
    sessions: { require: async () => undefined },
    projects: {
      read: async ({ projectId }: { readonly projectId: number }) => {
        lookedUp.push(projectId)
        return { projectId, organisationId: 'org', role: 'admin' }
      },
    },
  }
  return ports as unknown as AccessPorts
}

async function callWith(projectId: string, lookedUp: number[]): Promise<Caller> {
  const headers = new Headers({ authorization: 'Bearer a.b.c', 'x-project-id': projectId })
  const method = { service: 'shared.insights.v1.InsightsService', method: 'Query' }
  return await admitCall(portsNoting(lookedUp), { ...method, headers })
}

test.each(['1', '7', '999999999'])('x-project-id %s is looked up', async (id) => {
  const lookedUp: number[] = []
  await callWith(id, lookedUp)
  expect(lookedUp).toEqual([Number(id)])
})

test.each(['0', '07', '-1', '1.5', '1e3', '1 2', 'x', '4294967296', '12345678901', '9'.repeat(30)])(
  'a malformed x-project-id %s is rejected without a lookup',
  async (id) => {
    const lookedUp: number[] = []
    await expect(callWith(id, lookedUp)).rejects.toMatchObject({
      code: 'not_found',
      reason: 'PROJECT_NOT_FOUND',
    })
    expect(lookedUp).toEqual([])
  },
)
