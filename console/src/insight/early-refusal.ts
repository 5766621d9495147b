import type { QueryRequest } from '@contract/shared/insights/v1/insights_service_pb.js'
import { Failure } from '../rpc/failure.ts'

type FindRefusal = typeof import('@service/query/spec/find-refusal.ts').findRefusal

let rules: Promise<FindRefusal | undefined> | undefined

/**
 * Fetches the rules that the service refuses questions by, once somebody begins to write one. Where they cannot be had,
 * nothing is refused early: the service has the last word anyway.
 */
export async function loadRules(): Promise<FindRefusal | undefined> {
  rules ??= fetchRules().catch(() => {
    rules = undefined
    return undefined
  })
  return await rules
}

async function fetchRules(): Promise<FindRefusal> {
  const { prepareRules, findRefusal } = await import('@service/query/spec/find-refusal.ts')
  // Whoever types meanwhile is heard between two parts.
  await prepareRules(async () => await new Promise((resolve) => setTimeout(resolve)))
  return findRefusal
}

/** Throws what the service would answer to a question that it refuses, without asking it. */
export async function refuseEarly(request: QueryRequest, timeZone: string): Promise<void> {
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
