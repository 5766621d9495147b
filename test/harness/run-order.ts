import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONGEST } from './fast-suite.ts'

/**
 * Starts the longest files first, then what starts services and waits for them, and what only computes at the end: there a
 * process goes on to the next file that shares it.
 */
export class RunOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(specifications)
    return usual.toSorted((one, other) => rank(one) - rank(other))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const path = moduleId.slice(project.config.root.length + 1)
  const index = LONGEST.indexOf(path)
  if (index !== -1) return index
  if (!project.config.isolate) return LONGEST.length + 2
  return LONGEST.length + (path.startsWith('test/') ? 0 : 1)
}
