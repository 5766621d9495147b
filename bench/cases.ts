import type { BenchCase } from './case.ts'
import { arrivalsCases } from './cases/arrivals.ts'
import { clashCases } from './cases/clash.ts'
import { decodeCases } from './cases/decode.ts'
import { dialectLatencyCases } from './cases/dialect-latency.ts'
import { dialectCases } from './cases/dialects.ts'
import { encodeCases } from './cases/encode.ts'
import { endToEndCases } from './cases/end-to-end.ts'
import { exportCases } from './cases/export.ts'
import { freshCases } from './cases/fresh.ts'
import { frontCases } from './cases/front.ts'
import { grpcCases } from './cases/grpc.ts'
import { insertCases } from './cases/insert.ts'
import { latencyCases } from './cases/latency.ts'
import { markdownCases } from './cases/markdown.ts'
import { passwordCases } from './cases/passwords.ts'
import { planCases } from './cases/plan.ts'
import { poolCases } from './cases/pool.ts'
import { queryCases } from './cases/query.ts'
import { taskCases } from './cases/task.ts'
import { warningCases } from './cases/warnings.ts'

/** Every case, in the order of an event's way. */
export const CASES: readonly BenchCase[] = [
  ...frontCases,
  ...decodeCases,
  ...encodeCases,
  ...clashCases,
  ...taskCases,
  ...dialectCases,
  ...warningCases,
  ...poolCases,
  ...insertCases,
  ...arrivalsCases,
  ...endToEndCases,
  ...latencyCases,
  ...dialectLatencyCases,
  ...grpcCases,
  ...passwordCases,
  ...queryCases,
  ...freshCases,
  ...planCases,
  ...exportCases,
  ...markdownCases,
]
