import { createHash } from 'node:crypto'
import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import type { ProjectId } from '../../contract/ids.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import type { Clock } from '../../kernel/clock.ts'
import { largeWork } from '../../kernel/large-work.ts'
import { wantsFreshAnswer } from '../../rpc/answer.ts'
import {
  type AnswerCost,
  type AnswerSource,
  addCosts,
  NO_COST,
  writeServerTiming,
} from '../../rpc/server-timing.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import type { CohortSet, ReadCohorts } from '../cohorts/cohort-reader.ts'
import type { DayKeeper } from '../days/day-keeper.ts'
import type { QueryGate } from '../sql/query-gate.ts'
import type { RunQuery } from '../sql/run.ts'
import type { QueryRunner } from '../sql/select.ts'
import type { AnswerCache } from './answer-cache.ts'
import { approximateSize } from './approximate-size.ts'

/** Dependencies of the methods that query events. */
export interface QueryPorts {
  readonly run: RunQuery
  readonly gate: QueryGate
  readonly projects: ProjectReader
  readonly readCohorts: ReadCohorts
  readonly answers: AnswerCache
  readonly clock: Clock
  /** Answers from days that are kept; absent when none are. */
  readonly days?: DayKeeper | undefined
  /** Lifetime of a cached answer, in milliseconds. */
  readonly answerTtlMs: number
  /** Deadline of a query from the start of its first statement, in milliseconds. */
  readonly timeoutMs: number
}

/** A query over events, with the schemas of its messages. */
interface QueryShape<I extends DescMessage, O extends DescMessage> {
  readonly input: I
  readonly output: O
  readonly request: MessageShape<I>
  /** Further data that the answer depends on, as text: a cached answer to the same request has the same. */
  readonly basis?: string
  /** The cohorts that the request names: only these can be looked up in the project. */
  readonly cohortIds?: readonly string[]
  /** Computes the answer; `run` queues each statement for a slot of the concurrency limit. */
  readonly answer: (run: QueryRunner, project: ProjectContext) => Promise<MessageInitShape<O>>
}

/** An RPC that queries events. */
export interface QueryCall<I extends DescMessage, O extends DescMessage> extends QueryShape<I, O> {
  readonly context: HandlerContext
}

/** The project of a query, and how its caller waits. */
export interface QueryCaller {
  readonly projectId: ProjectId
  /** Skips cached answers. */
  readonly isFresh: boolean
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
}

/** A query from inside the service. */
export interface InternalQuery<I extends DescMessage, O extends DescMessage>
  extends QueryShape<I, O>,
    QueryCaller {}

/**
 * Answers a query from the cache or by computing it; `cache-control: no-cache` skips the cache. Identical queries of a
 * project that arrive together are coalesced. The response reports the cost in `server-timing`.
 */
export async function answerQuery<I extends DescMessage, O extends DescMessage>(
  ports: QueryPorts,
  call: QueryCall<I, O>,
): Promise<MessageShape<O>> {
  const { context, ...query } = call
  const isFresh = wantsFreshAnswer(context.requestHeader)
  const caller = { projectId: projectIdOf(context), isFresh, signal: context.signal }
  const { answer, bytes, cost, source } = await findAnswer(ports, { ...query, ...caller })
  context.responseHeader.set('server-timing', writeServerTiming(cost, source))
  // The result is serialized next.
  await largeWork.waitForTurn(String(caller.projectId), bytes)
  return answer
}

/** An answer with its cost and its cache outcome. */
export interface CostedAnswer<T> {
  readonly answer: T
  /** Its approximate size. */
  readonly bytes: number
  readonly cost: AnswerCost
  readonly source: AnswerSource
}

/** Answers a query from the cache or by computing it. Identical queries that arrive together are coalesced. */
export async function findAnswer<I extends DescMessage, O extends DescMessage>(
  ports: QueryPorts,
  query: InternalQuery<I, O>,
): Promise<CostedAnswer<MessageShape<O>>> {
  const { input, output, request, basis = '', cohortIds, projectId, isFresh, signal } = query
  const { cohorts, namesVersion, ...project } = await readProject(ports, projectId, cohortIds)
  const dependsOn = JSON.stringify([basis, cohorts.version, namesVersion])
  const digest = createHash('sha256')
    .update(`${project.projectId} ${project.projectTimeZone} ${input.typeName} ${dependsOn}\n`)
    .update(toBinary(input, request))
  const found = await ports.answers.answer({
    key: digest.digest('base64'),
    ttlMs: ports.answerTtlMs,
    isFresh,
    signal,
    compute: async (allLeft) => {
      let cost = NO_COST
      const report = (one: AnswerCost): void => {
        cost = addCosts(cost, one)
      }
      const run = runnerOf(ports, project, { signal: allLeft, report })
      const init = await query.answer(run, atNow(project, cohorts, ports))
      const bytes = approximateSize(init)
      await largeWork.waitForTurn(String(projectId), bytes)
      return { answer: create(output, init), bytes, cost }
    },
    sizeOf: ({ bytes }) => bytes,
  })
  return { ...found.answer, source: found.source }
}

/** The project of a call with the cohorts that the call names, and the runner of its statements. */
export async function openCall(
  ports: QueryPorts,
  context: HandlerContext,
  cohortIds: readonly string[] = [],
): Promise<ProjectContext & AskedProject & { readonly run: QueryRunner }> {
  const { cohorts, namesVersion: _, ...project } = await readProject(ports, projectIdOf(context), cohortIds)
  const run = runnerOf(ports, project, { signal: context.signal })
  return { ...atNow(project, cohorts, ports), run }
}

/** Creates the runner of statements about a project, for a call outside of its project's answers. */
export function createRunner(
  ports: QueryPorts,
  { projectId, signal }: Pick<QueryCaller, 'projectId' | 'signal'>,
): QueryRunner {
  return runnerOf(ports, { projectId }, { signal })
}

/** A project before the instant of a question is known. */
type AskedProject = Required<Omit<ProjectContext, 'cohorts'>>

async function readProject(
  { projects, readCohorts }: QueryPorts,
  projectId: ProjectId,
  cohortIds: readonly string[] = [],
): Promise<AskedProject & { readonly cohorts: CohortSet; readonly namesVersion: string }> {
  const { reportingTimezone, names } = await projects.read(projectId)
  const cohorts = await readCohorts(projectId, cohortIds)
  const { mergedKinds, version: namesVersion } = names
  return { projectId, projectTimeZone: reportingTimezone, mergedKinds, cohorts, namesVersion }
}

/** The project with the rules of its cohorts at this instant. */
function atNow(
  project: AskedProject,
  cohorts: CohortSet,
  { clock }: QueryPorts,
): ProjectContext & AskedProject {
  const { projectTimeZone: timeZone, mergedKinds } = project
  const instant = { nowMs: clock.nowMs(), timeZone, mergedKinds }
  return { ...project, cohorts: cohorts.rulesAt(instant) }
}

/** One deadline bounds the whole query, including all statements that it runs or queues. */
function runnerOf(
  { gate, run, days, timeoutMs }: QueryPorts,
  { projectId }: Pick<AskedProject, 'projectId'>,
  { signal, report }: { readonly signal: AbortSignal; readonly report?: (cost: AnswerCost) => void },
): QueryRunner {
  let deadline: AbortSignal | undefined
  const bounds = (): AbortSignal => (deadline ? AbortSignal.any([signal, deadline]) : signal)
  let rowCount = 0
  const once: QueryRunner = async (query) =>
    await gate.pass(projectId, bounds(), async () => {
      deadline ??= AbortSignal.timeout(timeoutMs)
      return await run(query, bounds(), (cost) => {
        rowCount += cost.readRows
        report?.(cost)
      })
    })
  return async (query) => {
    const { days: cells } = query
    return days && cells
      ? await days.answer({ ...query, days: cells }, once, () => rowCount)
      : await once(query)
  }
}
