import type { QueryRequest } from '@contract/shared/insights/v1/insights_service_pb.js'
import { Failure } from '../rpc/failure.ts'

type FindRefusal = typeof import('@domain/insights/find-refusal.ts').findRefusal

let rules: Promise<FindRefusal | undefined> | undefined

/**
 * Loads the rules by which the service rejects queries, once the first query is edited. If they cannot be loaded, queries
 * are sent unchecked: the service checks them anyway.
 */
export async function loadRules(): Promise<FindRefusal | undefined> {
  rules ??= fetchRules().catch(() => {
    rules = undefined
    return undefined
  })
  return await rules
}

async function fetchRules(): Promise<FindRefusal> {
  const { prepareRules, findRefusal } = await import('@domain/insights/find-refusal.ts')
  // The page handles input between two parts.
  await prepareRules(async () => await new Promise((resolve) => setTimeout(resolve)))
  return findRefusal
}

/** Throws the error with which the service would reject a query, without sending it. */
export async function checkQuery(request: QueryRequest, timeZone: string): Promise<void> {
  const findRefusal = await loadRules()
  const refusal = findRefusal?.(request, timeZone)
  if (!refusal) return
  throw new Failure({
    code: refusal.code,
    message: refusal.message,
    reason: refusal.reason,
    violations: new Map(refusal.violations.map(({ field, description }) => [field, description])),
  })
}
