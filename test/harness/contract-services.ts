import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DescMethod, DescService } from '@bufbuild/protobuf'

const GENERATED = resolve(import.meta.dirname, '../../src/contract/gen')

/** Package families that have services. */
export const FAMILIES = ['dashboard', 'millrace', 'public', 'sdk', 'shared'] as const

/** Every service of some package families, found by walking the generated code. */
export async function findServices(families: readonly string[] = FAMILIES): Promise<DescService[]> {
  const files = families.flatMap((family) =>
    readdirSync(join(GENERATED, family), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('_pb.js'))
      .map((file) => join(GENERATED, family, file)),
  )
  const modules: object[] = await Promise.all(files.map(async (file) => await import(file)))
  return modules.flatMap((module) => Object.values(module).filter(isService))
}

/** `Service/Method`. */
export function shortName({ parent, name }: DescMethod): string {
  return `${parent.name}/${name}`
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service'
}
