import { toBinary } from '@bufbuild/protobuf'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Measured } from '../../domain/alerts/alert-condition.ts'
import type { AlertQuestion } from '../../domain/alerts/alert-question.ts'

/** Answers one insight, as InsightsService does. */
export type AskInsight = (
  projectId: ProjectId,
  request: QueryRequest,
  caller: {
    readonly signal: AbortSignal
    /** Skips cached answers. */
    readonly isFresh: boolean
  },
) => Promise<QueryResponse>

/** Answers one question of a project. */
export type Ask = (request: QueryRequest) => Promise<QueryResponse>

/** What a check finds. */
export type Finding =
  | { readonly kind: 'number'; readonly measured: Measured }
  | { readonly kind: 'no-number' }
  /** The question cannot be answered, today or ever; the error is a sentence for people. */
  | { readonly kind: 'failed'; readonly error: string }

/** Errors that do not concern the question: it is asked again later. */
const PASSING_CODES: ReadonlySet<string> = new Set(['unavailable', 'canceled'])

/** Finds the number of a question. Throws when the store cannot be asked now. */
export async function findNumber(ask: Ask, question: AlertQuestion): Promise<Finding> {
  return await tryFinding(async () => {
    const main = await ask(question.main)
    const baseline = question.baseline && (await ask(question.baseline))
    const measured = question.read({ main, baseline })
    return measured ? { kind: 'number', measured } : { kind: 'no-number' }
  })
}

/** The finding of some work, whose errors about the question are a finding too. Throws other errors. */
export async function tryFinding(work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || isPassing(error)) throw error
    return { kind: 'failed', error: describe(error) }
  }
}

function isPassing({ code, reason }: ServiceError): boolean {
  return PASSING_CODES.has(code) || reason === 'OVERLOADED'
}

const POINT = 'content.point'

/** Fields of a point are not what people see: its errors are predicates of "the alert". */
function describe({ message, violations }: ServiceError): string {
  const [first] = violations
  if (first?.field === POINT) return `The alert ${first.description}.`
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
}

/** Asks each different question once, until {@link forget} is called. */
export class SharedQuestions {
  readonly #answers = new Map<string, Promise<QueryResponse>>()
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The answer to a question. */
  readonly ask: Ask = async (request) => {
    const key = keyOf(request)
    const known = this.#answers.get(key)
    if (known) return await known
    const answer = this.#ask(request)
    this.#answers.set(key, answer)
    return await answer
  }

  /** Frees the answers. */
  forget(): void {
    this.#answers.clear()
  }
}

/** Equal for equal questions of one project. */
export function keyOf(request: QueryRequest): string {
  return Buffer.from(toBinary(QueryRequestSchema, request)).toString('base64')
}
